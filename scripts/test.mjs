/**
 * `npm test`: everything that must hold, from a bare clone. Stages: lint, type check, unit, build, integration, browser
 * journeys. Each ends in one summary line; a test that is skipped fails the run.
 */
import { bootstrap } from './lib/bootstrap.mjs';

await bootstrap(import.meta.url);

const { spawn } = await import('node:child_process');
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

/** Runs a command, passes its output through and returns it with the exit code. */
function execute(args) {
  return new Promise((resolve) => {
    const child = spawn(pinnedNode(), args, { cwd: repositoryRoot, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
        process.stdout.write(chunk);
      });
    }
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Runs commands one after another, all of them; the worst exit code counts. */
async function executeAll(...commands) {
  const results = [];
  for (const args of commands) results.push(await execute(args));
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

const stages = [
  { name: 'lint', run: () => executeAll(nx('lint'), ['tools/check-dependencies.mjs'], ['tools/describe.mjs', '--check']) },
  { name: 'typecheck', run: () => execute(nx('typecheck')) },
  { name: 'unit', run: () => execute(nx('test')), counts: true },
  { name: 'build', run: () => execute(nx('build')) },
  { name: 'integration', run: () => execute(nx('integration', '--parallel=2')), counts: true },
  {
    name: 'journeys',
    run: () =>
      execute([path.join(repositoryRoot, 'node_modules/@playwright/test/cli.js'), 'test', '--config', 'apps/e2e/playwright.config.ts']),
    counts: true,
  },
].filter(({ name }) => only.length === 0 || only.includes(name));

const summary = [];
let failed = false;
try {
  for (const stage of stages) {
    const began = Date.now();
    console.log(`\n=== ${stage.name} ===`);
    const { code, output } = await stage.run();
    const seconds = ((Date.now() - began) / 1000).toFixed(0);
    if (stage.counts) {
      const totals = countTests(output);
      const ok = code === 0 && totals.failed === 0 && totals.skipped === 0 && totals.passed > 0;
      failed ||= !ok;
      summary.push({
        line: `${stage.name}: ${totals.passed} passed, ${totals.failed || (code === 0 ? 0 : 1)} failed, ${totals.skipped} skipped`,
        ok,
        seconds,
      });
    } else {
      failed ||= code !== 0;
      summary.push({ line: `${stage.name}: ${code === 0 ? 'ok' : 'failed'}`, ok: code === 0, seconds });
    }
  }
} finally {
  await stop();
}

console.log(`\n=== summary (${progress.total()}) ===`);
for (const { line, ok, seconds } of summary) console.log(`${ok ? '✓' : '✗'} ${line.split(':')[0]} took ${seconds} s\n${line}`);
process.exit(failed ? 1 : 0);
