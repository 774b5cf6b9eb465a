/** Bundles one service or library with rolldown: our own code in one file per entry, npm packages left external. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

const directory = path.resolve(process.argv[2]);
const source = path.join(directory, 'src');
const output = path.join(directory, 'dist');
// Entries: what is run (main), what the operator runs (*.command.ts), or, for a library, its index.
const input = Object.fromEntries(
  readdirSync(source)
    .filter((file) => file === 'main.ts' || file === 'index.ts' || file.endsWith('.command.ts'))
    .map((file) => [file.replace(/\.ts$/, ''), path.join(source, file)]),
);
if (Object.keys(input).length === 0) throw new Error(`${directory}: nothing to build (no src/main.ts, src/index.ts or src/*.command.ts)`);
if (existsSync(output)) rmSync(output, { recursive: true });

const bundle = await rolldown({
  input,
  platform: 'node',
  tsconfig: path.join(directory, 'tsconfig.json'),
  resolve: { conditionNames: ['source', 'import', 'node', 'default'] },
  // The decorator helpers of the compiler must be bundled; they are no dependency of ours.
  external: (id) => !/^[./]/.test(id) && !path.isAbsolute(id) && !id.startsWith('@decola/') && !id.startsWith('@oxc-project/'),
});
await bundle.write({ dir: output, format: 'esm', sourcemap: true, entryFileNames: '[name].js' });
await bundle.close();
