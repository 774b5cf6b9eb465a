/**
 * `npm test`: all checks and tests, from a fresh clone. Stages: build, then integration, then the browser journeys. Lint, type check and
 * unit tests run at the same time as the journeys, which mostly wait for pages. Each stage ends with a summary line; a skipped test fails
 * the run.
 */
import { bootstrap } from './lib/bootstrap.mjs';

await bootstrap(import.meta.url);

const os = await import('node:os');
const path = await import('node:path');
const { infrastructureOrExit, infrastructureEnvironment } = await import('./lib/infrastructure.mjs');
const { pinnedNode } = await import('./lib/bootstrap.mjs');
const { createProgress } = await import('./lib/progress.mjs');
const { repositoryRoot } = await import('./lib/shell.mjs');
const { countTests, failedTests, stagesFor } = await import('./lib/stages.mjs');
const { Supervision, whenAskedToEnd } = await import('./lib/supervision.mjs');

const progress = createProgress();
const only = process.argv.slice(2);
const supervision = new Supervision('npm test');
whenAskedToEnd(() => void supervision.end().then(() => process.exit(130)));
const infrastructure = await progress.step('PostgreSQL, RabbitMQ, Redis and Chromium', () =>
  infrastructureOrExit({ log: progress.log, supervision, isForTests: true }),
);

const environment = {
  ...process.env,
  ...infrastructureEnvironment(infrastructure),
  NX_DAEMON: 'false',
  NX_TUI: 'false',
  FORCE_COLOR: '0',
  PATH: `${path.dirname(pinnedNode())}${path.delimiter}${path.join(repositoryRoot, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}`,
};

/**
 * Runs a command and returns its output and exit code. Calls `write` with each piece of output as it arrives. @param isAside runs it with
 * low priority
 */
function execute(args, { write, isAside }) {
  return new Promise((resolve) => {
    const child = supervision.startCommand(pinnedNode(), args, {
      cwd: repositoryRoot,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // A stage that runs at the same time as the browser journeys must not slow them down.
    if (isAside) os.setPriority(child.pid, os.constants.priority.PRIORITY_LOW);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
        write(chunk);
      });
    }
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Runs all commands one after another, also after a failure; the result has the highest exit code. */
async function executeAll(commands, how) {
  const results = [];
  for (const args of commands) results.push(await execute(args, how));
  return { code: Math.max(...results.map(({ code }) => code)), output: results.map(({ output }) => output).join('') };
}

const nx = (target, ...more) => [
  path.join(repositoryRoot, 'node_modules/nx/dist/bin/nx.js'),
  'run-many',
  '-t',
  target,
  '--outputStyle=static',
  ...more,
];

const build = { name: 'build', commands: [nx('build')] };
const integration = { name: 'integration', commands: [nx('integration', '--parallel=2')], counts: true };
const journeys = {
  name: 'journeys',
  commands: [[path.join(repositoryRoot, 'node_modules/@playwright/test/cli.js'), 'test', '--config', 'apps/e2e/playwright.config.ts']],
  counts: true,
};
const lint = {
  name: 'lint',
  commands: [
    nx('lint'),
    [path.join(repositoryRoot, 'node_modules/prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'],
    ['tools/check-dependencies.mjs'],
    ['tools/describe.mjs', '--check'],
    ['tools/check-releases.mjs'],
  ],
};
const typecheck = { name: 'typecheck', commands: [nx('typecheck')] };
const unit = { name: 'unit', commands: [nx('test')], counts: true };

const wanted = stagesFor(only);

/** Steps run one after another. The lanes of a step (lists of stages) run at the same time, all but the first with low priority. */
const steps = [[[build]], [[integration]], [[journeys], [lint, typecheck, unit]]]
  .map((lanes) => lanes.map((lane) => lane.filter(({ name }) => only.length === 0 || wanted.has(name))))
  .map((lanes) => lanes.filter((lane) => lane.length > 0));

const names = [build, integration, journeys, lint, typecheck, unit].map(({ name }) => name);
const unknown = only.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no stage ${unknown.join(', ')}; there are ${names.join(', ')}.`);
  await supervision.end();
  process.exit(2);
}

/**
 * Runs a stage. @param isAside runs it with low priority, and prints its output at its end, so that the output of two stages does not mix
 * @returns the stage's summary
 */
async function runStage({ name, commands, counts }, isAside) {
  const began = Date.now();
  const title = `\n=== ${name} ===\n`;
  if (!isAside) process.stdout.write(title);
  const { code, output } = await executeAll(commands, { write: (chunk) => isAside || process.stdout.write(chunk), isAside });
  if (isAside) process.stdout.write(title + output);
  const seconds = ((Date.now() - began) / 1000).toFixed(0);
  if (!counts) return { line: `${name}: ${code === 0 ? 'ok' : 'failed'}`, ok: code === 0, seconds };
  const { passed, failed, skipped } = countTests(output);
  return {
    line: `${name}: ${passed} passed, ${failed || (code === 0 ? 0 : 1)} failed, ${skipped} skipped`,
    ok: code === 0 && failed === 0 && skipped === 0 && passed > 0,
    seconds,
    failed: failedTests(output),
  };
}

async function runLane(lane, isAside) {
  const results = [];
  for (const stage of lane) results.push(await runStage(stage, isAside));
  return results;
}

const summary = [];
try {
  for (const lanes of steps) {
    const results = await Promise.all(lanes.map((lane, index) => runLane(lane, index > 0)));
    summary.push(...results.flat());
  }
} finally {
  await supervision.end();
}

const allFailed = summary.flatMap(({ failed = [] }) => failed);
if (allFailed.length > 0) console.log('\n=== failures ===');
for (const { name, said } of allFailed) console.log([name, ...said.map((line) => `    ${line}`)].join('\n'));

// Last and short: where only the end of a long output is kept, it names every failed test.
console.log(`\n=== summary (${progress.total()}) ===`);
for (const { line, ok, seconds, failed = [] } of summary) {
  console.log(`${ok ? '✓' : '✗'} ${line.split(':')[0]} took ${seconds} s\n${line}`);
  for (const { name } of failed) console.log(`  failed: ${name}`);
}
process.exit(summary.every(({ ok }) => ok) ? 0 : 1);
