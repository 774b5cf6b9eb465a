/**
 * Rules of tests that a linter can judge: what fails in a set-up has to be told by its own error, a failure has to be repeatable,
 * and a busy machine has to say the same.
 */
import { testTimeout } from '../jest-preset.mjs';

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

/** `performance.now() - began` and `Date.now() - began`: grows with what else the machine does. */
const isElapsed = (node) =>
  node?.type === 'BinaryExpression' &&
  node.operator === '-' &&
  node.left.type === 'CallExpression' &&
  node.left.callee.property?.name === 'now' &&
  ['Date', 'performance'].includes(node.left.callee.object?.name);

/** Whether an expression is a time that passed, or names one: a variable that holds it, or a property such as `tookMs`. */
function isTimePassed(node, scope) {
  if (!node) return false;
  if (isElapsed(node)) return true;
  if (node.type === 'BinaryExpression') return isTimePassed(node.left, scope);
  if (node.type === 'MemberExpression') return /^(took|elapsed)/.test(node.property.name ?? '');
  if (node.type !== 'Identifier') return false;
  const initial = variableOf(scope, node.name)?.defs[0]?.node.init;
  return (
    /^(took|elapsed)/.test(node.name) ||
    isElapsed(initial?.type === 'BinaryExpression' && '*/'.includes(initial.operator) ? initial.left : initial)
  );
}

const measuresNoSpeed = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      speed:
        'A busy machine is slower: say by order what you meant (an answer while the other side still hangs), or measure process.cpuUsage(). A lower bound is safe.',
    },
  },
  create: (context) => ({
    'CallExpression[callee.property.name=/^toBeLessThan(OrEqual)?$/]'(node) {
      const expected = node.callee.object;
      if (expected.type !== 'CallExpression' || expected.callee.name !== 'expect') return;
      if (isTimePassed(expected.arguments[0], context.sourceCode.getScope(node))) context.report({ node, messageId: 'speed' });
    },
  }),
};

/** A met deadline costs nothing, and a busy machine needs tens of seconds for what takes one on an idle one. */
const leastDeadlineMs = 30_000;

/** What takes a time limit as its last argument, also by table: `it.each(rows)(name, test, limit)`. */
const limited = new Set(['it', 'test', 'beforeAll', 'beforeEach', ...hooks]);
const nameOfLimited = (callee) => {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type === 'MemberExpression') return nameOfLimited(callee.object);
  return callee.type === 'CallExpression' || callee.type === 'TaggedTemplateExpression'
    ? nameOfLimited(callee.callee ?? callee.tag)
    : undefined;
};
const isFunction = (node) => /Function/.test(node?.type ?? '');
const isShorterThan = (node, ms) => node?.type === 'Literal' && typeof node.value === 'number' && node.value < ms;

const waitsLongEnough = {
  meta: {
    type: 'problem',
    fixable: 'code',
    schema: [],
    messages: {
      short: 'A deadline only bounds a hang: give it at least 30 seconds, which is what eventually has by itself.',
      own: 'A time limit only bounds a hang: leave it out, every test has six minutes.',
    },
  },
  create: (context) => ({
    'CallExpression[callee.name="eventually"] > ObjectExpression.arguments > Property[key.name="timeoutMs"] > Literal.value'(node) {
      if (isShorterThan(node, leastDeadlineMs)) context.report({ node, messageId: 'short' });
    },
    CallExpression(node) {
      const [limit, before] = [node.arguments.at(-1), node.arguments.at(-2)];
      if (!isShorterThan(limit, testTimeout) || !isFunction(before) || !limited.has(nameOfLimited(node.callee))) return;
      context.report({ node: limit, messageId: 'own', fix: (fixer) => fixer.removeRange([before.range[1], limit.range[1]]) });
    },
    'ExpressionStatement > CallExpression[callee.object.name="jest"][callee.property.name="setTimeout"]'(node) {
      if (isShorterThan(node.arguments[0], testTimeout))
        context.report({ node, messageId: 'own', fix: (fixer) => fixer.remove(node.parent) });
    },
  }),
};

const loops = new Set(['WhileStatement', 'DoWhileStatement', 'ForStatement', 'ForOfStatement', 'ForInStatement']);
const isPositive = (node) => node?.type === 'Literal' && typeof node.value === 'number' && node.value > 0;

/** Whether a wait is the pause of a loop that looks again and again. */
function isPauseOfLoop(node) {
  for (let at = node.parent; at && !/Function/.test(at.type); at = at.parent) if (loops.has(at.type)) return true;
  return false;
}

const waitsForSomething = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      fixed:
        'A busy machine may need longer: wait for what is to happen (eventually, an event). Where nothing is to happen, give the time a name that says so.',
    },
  },
  create: (context) => {
    const report = (node) => {
      if (!isPauseOfLoop(node)) context.report({ node, messageId: 'fixed' });
    };
    return {
      'AwaitExpression > CallExpression[callee.name=/^(sleep|wait|pause|delay)$/]'(node) {
        if (isPositive(node.arguments[0])) report(node);
      },
      'CallExpression[callee.property.name="waitForTimeout"]'(node) {
        if (isPositive(node.arguments[0])) report(node);
      },
      'AwaitExpression > NewExpression[callee.name="Promise"] > ArrowFunctionExpression > CallExpression[callee.name="setTimeout"]'(node) {
        if (isPositive(node.arguments[1])) report(node.parent.parent);
      },
    };
  },
};

/**
 * Whether a statement counts whatever a table has: a count of a part, or of each part, is another thing. `${}` stands for what a template
 * inserts: after the table it may say which part.
 */
const isCountOfAll = (text) =>
  /^\s*(select|with)\b[^;]*\bcount\s*\([^;]*\bfrom\s+[\w$]/i.test(text) &&
  !/\b(where|group\s+by|filter)\b|\bfrom\s+\S+\s+\$\{\}/i.test(text);

const countsItsOwn = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      all: 'Another test, or what a service does by itself, adds rows: count those of an owner that this test made, or look for the rows by their ids.',
    },
  },
  create: (context) => ({
    Literal(node) {
      if (typeof node.value === 'string' && isCountOfAll(node.value)) context.report({ node, messageId: 'all' });
    },
    TemplateLiteral(node) {
      if (isCountOfAll(node.quasis.map(({ value }) => value.cooked).join('${}'))) context.report({ node, messageId: 'all' });
    },
  }),
};

export default {
  meta: { name: 'tests' },
  rules: {
    'counts-its-own': countsItsOwn,
    'ends-what-started': endsWhatStarted,
    'is-seeded': isSeeded,
    'measures-no-speed': measuresNoSpeed,
    'waits-for-something': waitsForSomething,
    'waits-long-enough': waitsLongEnough,
  },
};
