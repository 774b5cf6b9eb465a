/**
 * `npm test`: everything that must hold, from a bare clone. Stages: build, integration, browser journeys, and beside these, which
 * mostly wait for pages, lint, type check and unit. Each ends in one summary line; a test that is skipped fails the run.
 */
import { bootstrap } from './lib/bootstrap.mjs';

await bootstrap(import.meta.url);

const { spawn } = await import('node:child_process');
const os = await import('node:os');
const path = await import('node:path');
const { infrastructureOrExit, infrastructureEnvironment } = await import('./lib/infrastructure.mjs');
const { pinnedNode } = await import('./lib/bootstrap.mjs');
const { createProgress } = await import('./lib/progress.mjs');
const { repositoryRoot } = await import('./lib/shell.mjs');

const progress = createProgress();
const only = process.argv.slice(2);
const infrastructure = await progress.step('PostgreSQL, RabbitMQ, Redis and Chromium', () => infrastructureOrExit({ log: progress.log }));
let stopped = false;
async function stop() {
  if (stopped) return;
  stopped = true;
  await infrastructure.stop();
}
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => void stop().then(() => process.exit(130)));
}

const environment = {
  ...process.env,
  ...infrastructureEnvironment(infrastructure),
  NX_DAEMON: 'false',
  NX_TUI: 'false',
  FORCE_COLOR: '0',
  PATH: `${path.dirname(pinnedNode())}${path.delimiter}${path.join(repositoryRoot, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}`,
};

/** Runs a command and returns its output with the exit code. `write` hears the output as it comes. */
function execute(args, { write, isAside }) {
  return new Promise((resolve) => {
    const child = spawn(pinnedNode(), args, { cwd: repositoryRoot, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    // What runs beside browsers must not slow them down: it takes the time that they leave.
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

/** Runs commands one after another, all of them; the worst exit code counts. */
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

/** Adds up the closing lines of jest ("Tests: 1 failed, 2 skipped, 30 passed, 33 total") and of Playwright ("30 passed"). */
function countTests(output) {
  const plain = output.replace(/\u001b\[[0-9;]*m/g, '');
  const totals = { passed: 0, failed: 0, skipped: 0 };
  const add = (line) => {
    for (const [, count, word] of line.matchAll(/(\d+) (passed|failed|skipped|todo|flaky|did not run)/g)) {
      totals[word === 'passed' || word === 'flaky' ? 'passed' : word === 'failed' ? 'failed' : 'skipped'] += Number(count);
    }
  };
  for (const line of plain.split('\n'))
    if (/^\s*Tests:\s/.test(line) || /^\s+\d+ (passed|failed|skipped|flaky|did not run)\b/.test(line)) add(line);
  return totals;
}

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
  ],
};
const typecheck = { name: 'typecheck', commands: [nx('typecheck')] };
const unit = { name: 'unit', commands: [nx('test')], counts: true };

/** Steps one after another. The lanes of a step run at once, all but the first of them aside. */
const steps = [[[build]], [[integration]], [[journeys], [lint, typecheck, unit]]]
  .map((lanes) => lanes.map((lane) => lane.filter(({ name }) => only.length === 0 || only.includes(name))))
  .map((lanes) => lanes.filter((lane) => lane.length > 0));

const names = [build, integration, journeys, lint, typecheck, unit].map(({ name }) => name);
const unknown = only.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no stage ${unknown.join(', ')}; there are ${names.join(', ')}.`);
  await stop();
  process.exit(2);
}

/** @returns the stage's summary. Output of a stage that runs aside is held until its end, so that no two mix. */
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
  await stop();
}

console.log(`\n=== summary (${progress.total()}) ===`);
for (const { line, ok, seconds } of summary) console.log(`${ok ? '✓' : '✗'} ${line.split(':')[0]} took ${seconds} s\n${line}`);
process.exit(summary.every(({ ok }) => ok) ? 0 : 1);
