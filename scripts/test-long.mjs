/**
 * `npm run test:long [-- name …]`: the tests that are too slow for `npm test`, or not yet reliable enough (scripts/lib/long-runs.mjs says why
 * each is here), one file at a time. With names, only files whose path contains one of them.
 */
import { bootstrap } from './lib/bootstrap.mjs';

await bootstrap(import.meta.url);

const { longRuns } = await import('./lib/long-runs.mjs');
const { stageOf } = await import('./lib/test-files.mjs');
const { nx, TestRun } = await import('./lib/test-run.mjs');

const names = process.argv.slice(2);
const wanted = longRuns.filter(({ file }) => names.length === 0 || names.some((name) => file.includes(name)));
if (wanted.length === 0) {
  console.error(`No long run is called so. There are:\n${longRuns.map(({ file }) => `  ${file}`).join('\n')}`);
  process.exit(2);
}

const run = await TestRun.start('npm run test:long');
let isOk = false;
try {
  isOk = (await run.execute(nx('build'))) === 0 && (await runAll());
} finally {
  await run.end();
}
process.exit(isOk ? 0 : 1);

async function runAll() {
  const minutes = wanted.reduce((sum, run) => sum + run.minutes, 0);
  console.log(`${wanted.length} files, about ${minutes.toFixed(0)} minutes.`);
  const stages = new Map();
  for (const [index, { file, why }] of wanted.entries()) {
    console.log(`\n=== ${index + 1} of ${wanted.length}: ${file}: ${why} ===`);
    const began = Date.now();
    const { code, files } = await run.runFiles(stageOf(file), [file], { isFull: true });
    const stage = stages.get(stageOf(file)) ?? { name: stageOf(file), code: 0, seconds: 0, expected: 0, files: [] };
    stage.code = Math.max(stage.code, code);
    stage.seconds += (Date.now() - began) / 1000;
    stage.expected += 1;
    stage.files.push(...files);
    stages.set(stageOf(file), stage);
  }
  return run.summarize([...stages.values()], { isFull: true });
}
