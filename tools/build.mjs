/** Bundles one service or library with rolldown: our own code in one file per entry; npm packages stay external. */
import { existsSync, globSync, rmSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

const directory = path.resolve(process.argv[2]);
const source = path.join(directory, 'src');
const output = path.join(directory, 'dist');
// Entries: `main.ts` and the operators' commands (`*.command.ts`) of an app, the index of a library.
const input = Object.fromEntries(
  ['main.ts', 'index.ts', '*.command.ts', 'commands/*.command.ts']
    .flatMap((pattern) => globSync(pattern, { cwd: source }))
    .map((file) => [path.basename(file, '.ts'), path.join(source, file)]),
);
if (Object.keys(input).length === 0)
  throw new Error(`${directory}: nothing to build (no src/main.ts, src/index.ts, src/*.command.ts or src/commands/*.command.ts)`);
if (existsSync(output)) rmSync(output, { recursive: true });

const bundle = await rolldown({
  input,
  platform: 'node',
  tsconfig: path.join(directory, 'tsconfig.json'),
  resolve: { conditionNames: ['@decola/source', 'import', 'node', 'default'] },
  // The compiler's decorator helpers must be bundled, because no package.json declares them.
  external: (id) => !/^[./]/.test(id) && !path.isAbsolute(id) && !id.startsWith('@decola/') && !id.startsWith('@oxc-project/'),
});
await bundle.write({ dir: output, format: 'esm', sourcemap: true, entryFileNames: '[name].js' });
await bundle.close();
