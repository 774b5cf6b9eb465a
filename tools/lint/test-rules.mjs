/**
 * Rules of tests that a linter can judge: what fails in a set-up has to be told by its own error, and a failure has to be repeatable.
 */

const hooks = new Set(['afterAll', 'afterEach']);
const endings = new Set(['stop', 'dispose', 'close', 'destroy', 'end']);

/** The hook in which a node stands; undefined elsewhere, and in a promise, which would never end if the call were left out. */
const hookOf = (node) => {
  for (let at = node.parent; at && at.callee?.name !== 'Promise'; at = at.parent)
    if (at.type === 'CallExpression' && at.callee.type === 'Identifier' && hooks.has(at.callee.name)) return at;
  return undefined;
};

/** The variable of a name, looked up from a scope outwards. */
const variableOf = (scope, name) => {
  for (let at = scope; at; at = at.upper) if (at.set.has(name)) return at.set.get(name);
  return undefined;
};

/** Whether a variable has no value before some set-up assigns one. */
const isAssignedLater = (variable) => variable?.defs.some(({ type, node }) => type === 'Variable' && node.init === null) ?? false;

const endsWhatStarted = {
  meta: {
    type: 'problem',
    fixable: 'code',
    schema: [],
    messages: {
      plain: "'{{name}}' is undefined when the set-up failed, and this error would hide that one: write {{name}}?.{{method}}(…).",
    },
  },
  create: (context) => ({
    'CallExpression > MemberExpression.callee[optional=false][computed=false][object.type="Identifier"]'(node) {
      const hook = hookOf(node);
      if (!hook || !endings.has(node.property.name)) return;
      const scope = context.sourceCode.getScope(node);
      const variable = variableOf(scope, node.object.name);
      // What the hook declared itself has a value.
      if (!isAssignedLater(variable) || variable.scope.block.range[0] >= hook.range[0]) return;
      context.report({
        node,
        messageId: 'plain',
        data: { name: node.object.name, method: node.property.name },
        fix: (fixer) => fixer.replaceTextRange([node.object.range[1], node.property.range[0]], '?.'),
      });
    },
  }),
};

const isSeeded = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { random: 'A failure cannot be repeated: draw from a seed that is printed, or use randomUUID for a name.' },
  },
  create: (context) => ({
    'CallExpression[callee.object.name="Math"][callee.property.name="random"]'(node) {
      context.report({ node, messageId: 'random' });
    },
  }),
};

export const testRules = { rules: { 'ends-what-started': endsWhatStarted, 'is-seeded': isSeeded } };
