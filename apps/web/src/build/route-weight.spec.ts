import { randomBytes } from 'node:crypto';
import type { BuiltChunk } from './page-weight';
import { ownScriptBytes, ownScriptsLimit, type RouteBudgets, routeWeight } from './route-weight';

const chunk = (name: string, { bytes = 100, ...rest }: Partial<BuiltChunk> & { bytes?: number } = {}): BuiltChunk => ({
  type: 'chunk',
  fileName: `${name}.js`,
  code: randomBytes(bytes).toString('base64'),
  imports: [],
  isEntry: false,
  moduleIds: [`/app/src/${name}.ts`],
  ...rest,
});

const router = '/app/src/app.ts';
const budgets: RouteBudgets = { routesIn: /app\.ts$/, shared: [/app\.ts$/] };

function build(chunks: readonly BuiltChunk[], routes: readonly string[], options: Partial<RouteBudgets> = {}) {
  const messages: string[] = [];
  const context = {
    info: (message: string) => messages.push(message),
    error: (message: string) => {
      throw new Error(message);
    },
    getModuleIds: () => [router, ...routes],
    getModuleInfo: (id: string) => (id === router ? { dynamicallyImportedIds: routes } : null),
  };
  const bundle = Object.fromEntries([chunk('main', { isEntry: true }), ...chunks].map((each) => [each.fileName, each]));
  (routeWeight({ ...budgets, ...options }).generateBundle as (this: unknown, options: unknown, bundle: unknown) => void).call(
    context,
    {},
    bundle,
  );
  return messages;
}

const route = '/app/src/page.ts';
/** Random bytes in base64 compress to about their number. */
const within = ownScriptsLimit - 4_000;
const beyond = ownScriptsLimit + 4_000;

it('counts what a route loads of its own, and not what all routes share or what it loads later', () => {
  const shared = chunk('app', { bytes: 90_000 });
  const files = [
    chunk('main', { isEntry: true }),
    shared,
    chunk('page', { bytes: 1_000, imports: ['app.js', 'part.js'] }),
    chunk('part', { bytes: 2_000 }),
    chunk('later', { bytes: 50_000 }),
  ];
  const built = Object.fromEntries(files.map((each) => [each.fileName, each]));
  const bytes = ownScriptBytes(built, /page\.ts$/, budgets.shared);
  expect(bytes).toBeGreaterThan(2_900);
  expect(bytes).toBeLessThan(4_000);
});

it('fails the build when any route that the router imports exceeds the limit', () => {
  const small = chunk('page', { bytes: within });
  const other = (bytes: number) => chunk('other', { bytes });
  const ids = [route, '/app/src/other.ts'];
  expect(build([chunk('app'), small, other(within)], ids)).toHaveLength(2);
  expect(() => build([chunk('app'), small, other(beyond)], ids)).toThrow(/^other\.ts loads/);
});

it('holds a heavier route to a limit of its own', () => {
  const files = [chunk('app'), chunk('page', { bytes: beyond })];
  expect(() => build(files, [route], { heavier: [[/page\.ts$/, beyond + 4_000]] })).not.toThrow();
  expect(() => build(files, [route], { heavier: [[/page\.ts$/, beyond - 4_000]] })).toThrow(/^page\.ts loads/);
});

it('fails the build when it finds no route, or not the one with a limit of its own', () => {
  expect(() => build([chunk('app')], [])).toThrow('no route');
  expect(() => build([chunk('app'), chunk('page')], [route], { heavier: [[/gone\.ts$/, beyond]] })).toThrow('no route fits');
});
