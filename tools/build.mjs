/**
 * Bundles one service or library with rolldown (decision 0078): our own code in one file per entry, the npm packages it uses in `packages-*.js`
 * beside it. Only the packages of `external` are loaded from node_modules.
 */
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
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

const external = new Set([
  // deploy/tracing.mjs wraps these when they are loaded by name.
  'amqplib',
  'pg',
  '@opentelemetry/api',
  // Nest loads it by name.
  'amqp-connection-manager',
  // Their files belong together: native libraries, a worker thread, a driver process.
  'argon2',
  'pino',
  'playwright',
  'playwright-core',
  'sharp',
  // Optional packages of Nest, which are not installed: Nest loads them when an application uses them.
  '@fastify/multipart',
  '@fastify/view',
  '@nats-io/transport-node',
  '@nestjs/platform-express',
  '@nestjs/websockets',
  'class-transformer',
  'class-validator',
  'ioredis',
  'kafkajs',
  'mqtt',
]);
const packageOf = (id) =>
  id
    .split('/')
    .slice(0, id.startsWith('@') ? 2 : 1)
    .join('/');

const otherTypeOrm = '@nestjs/typeorm loads typeorm in another way than tools/build.mjs expects';
let isOneTypeOrm = false;

/** @nestjs/typeorm asks for `typeorm` by name at run time; that would load all of it a second time beside the bundled one. */
const oneTypeOrm = {
  name: 'one-typeorm',
  transform: {
    filter: { id: /[\\/]@nestjs[\\/]typeorm[\\/]dist[\\/]common[\\/]typeorm-compat\.js$/ },
    handler(code) {
      const call = "const typeorm = require('typeorm');";
      if (!code.includes(call)) throw new Error(otherTypeOrm);
      isOneTypeOrm = true;
      return { code: `import * as typeorm from 'typeorm';${code.replace(call, '')}`, map: null };
    },
  },
};

const bundle = await rolldown({
  input,
  platform: 'node',
  tsconfig: path.resolve('tsconfig.base.json'),
  resolve: { conditionNames: ['@decola/source', 'node', 'default'] },
  external: (id) => isBuiltin(id) || (!/^[./]/.test(id) && !path.isAbsolute(id) && external.has(packageOf(id))),
  plugins: [oneTypeOrm],
  onLog(level, log, report) {
    // What cannot be resolved would be missing only when the service runs.
    if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
    report(level, log);
  },
});
const { output: files } = await bundle.write({
  dir: output,
  format: 'esm',
  sourcemap: true,
  entryFileNames: '[name].js',
  codeSplitting: { groups: [{ name: 'packages', test: /[\\/]node_modules[\\/]/ }] },
});
await bundle.close();

const chunks = files.filter(({ type }) => type === 'chunk');
if (!isOneTypeOrm && chunks.some(({ moduleIds }) => moduleIds.some((id) => /[\\/]@nestjs[\\/]typeorm[\\/]/.test(id))))
  throw new Error(otherTypeOrm);

// The map of the packages has ten megabytes, which the first error that is logged would keep in memory. They are readable without.
for (const { fileName } of chunks.filter(({ name }) => name === 'packages')) {
  const file = path.join(output, fileName);
  rmSync(`${file}.map`);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n'));
}
