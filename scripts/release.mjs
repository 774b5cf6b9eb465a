/**
 * `npm run release -- <name> <commit>`: records what a release sends, reads and stores into `releases/last`, from the files of its commit. Do it when the
 * release runs everywhere: from then on lint and tests compare the tree with it. Commit what it writes.
 */
import { bootstrap } from './lib/bootstrap.mjs';

await bootstrap(import.meta.url);

const { existsSync } = await import('node:fs');
const path = await import('node:path');
const { infrastructureOrExit } = await import('./lib/infrastructure.mjs');
const { createProgress } = await import('./lib/progress.mjs');
const { repositoryRoot } = await import('./lib/shell.mjs');
const { Supervision, whenAskedToEnd } = await import('./lib/supervision.mjs');
const { recordOf } = await import('../tools/releases/crossing.mjs');
const { keepRelease } = await import('../tools/releases/last-release.mjs');
const { messageBodies } = await import('../tools/releases/messages.mjs');
const { migrationsOf, nameOfMigration } = await import('../tools/releases/migrations.mjs');
const { tablesAfter } = await import('../tools/releases/tables.mjs');
const { commitOf, treeOf } = await import('../tools/releases/tree-of.mjs');

const [name, wanted] = process.argv.slice(2);
if (!name || !wanted) {
  console.error('usage: npm run release -- <name> <commit>');
  process.exit(2);
}
const progress = createProgress();
const supervision = new Supervision('npm run release');
whenAskedToEnd(() => void supervision.end().then(() => process.exit(130)));
try {
  const commit = commitOf(repositoryRoot, wanted);
  const tree = treeOf(repositoryRoot, commit, { log: progress.log });
  const { postgres } = await progress.step('PostgreSQL', () => infrastructureOrExit({ log: progress.log, supervision }));
  const messages = await progress.step('messages', async () => (await messageBodies(tree)).map(recordOf));
  const migrations = await migrationsOf(tree);
  const tables = await progress.step('tables', () => tablesAfter(migrations, postgres.url));
  keepRelease(repositoryRoot, {
    name,
    commit,
    // Releases since decision 0060 let messages wait that hold words which they do not know.
    waitsForNewer: existsSync(path.join(tree, 'libs/messaging/src/newer-messages.ts')),
    migrations: Object.fromEntries(Object.entries(migrations.byService).map(([service, each]) => [service, each.map(nameOfMigration)])),
    messages,
    tables,
  });
  console.log(`releases/last is ${name} (${commit.slice(0, 7)}): ${messages.length} messages, ${tables.length} tables. Commit it.`);
} catch (error) {
  if (error?.name !== 'MissingHistoryError') throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await supervision.end();
}
process.exit();
