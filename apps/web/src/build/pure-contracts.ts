import type { Plugin } from 'vite';

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

/** Expressions whose evaluation may do something as far as a bundler can know. */
const hasCall = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.some(hasCall);
  if (typeof value !== 'object' || value === null) return false;
  const { type } = value as Partial<Node>;
  if (type === 'CallExpression' || type === 'NewExpression' || type === 'TaggedTemplateExpression') return true;
  // What a function does, it does when it is called.
  if (type === 'ArrowFunctionExpression' || type === 'FunctionExpression') return false;
  return Object.values(value).some(hasCall);
};

/** @returns the constants of the module's top level whose values are made by calls, as ranges of the source, the last first */
function madeByCalls(program: Node): Node[] {
  return (program['body'] as Node[])
    .map((statement) => (statement.type === 'ExportNamedDeclaration' ? (statement['declaration'] as Node | null) : statement))
    .filter((statement) => statement?.type === 'VariableDeclaration' && statement['kind'] === 'const')
    .flatMap((statement) => (statement?.['declarations'] as Node[]).map((each) => each['init'] as Node))
    .filter(hasCall)
    .reverse();
}

/**
 * Tells the bundler that making a constant of `libs/contracts` has no effect, as the library's `sideEffects: false` says of whole modules. Without it a page
 * that uses one constant of a module loads all of the module's schemas, and zod with them: a bundler cannot know that `z.string().nullable()` only returns.
 */
export function pureContracts(): Plugin {
  return {
    name: 'pure-contracts',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: /libs\/contracts\/src\/.*\.ts$/ },
      handler(code) {
        const changed = madeByCalls(this.parse(code) as unknown as Node).reduce(
          (text, { start, end }) => `${text.slice(0, start)}/*#__PURE__*/ (() => (${text.slice(start, end)}))()${text.slice(end)}`,
          code,
        );
        return changed === code ? null : { code: changed, map: null };
      },
    },
  };
}
