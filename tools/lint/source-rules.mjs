/** Rules of our own for what services are made of. */

const readsRowsByHelpers = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { typed: 'Read rows with rowsOf or rowOf of @decola/database, and count changed ones with changedRows.' },
  },
  create: (context) => ({
    'CallExpression[typeArguments][callee.property.name="query"]'(node) {
      context.report({ node, messageId: 'typed' });
    },
  }),
};

export default { meta: { name: 'source' }, rules: { 'reads-rows-by-helpers': readsRowsByHelpers } };
