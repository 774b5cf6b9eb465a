/**
 * `npm run soak [-- --spins 10000 --kills 100 --articles 365 --automations 10000 --customers 500 --days 3 --seed 7]`: five of the long runs (`npm run test:long`), more
 * thoroughly. First 10,000 visitors spin a wheel with 100 prizes on two replicas that are killed ten times (apps/prize-wheel/test/killed-draws). Then the
 * browser worker is killed at 100 moments of a run of every kind (apps/browser-worker/test/worker-kills), and the writer of articles at 100 moments
 * (apps/blog/test/writing-kills). Then the articles of a year are written (apps/blog/test/writing-months). Then the simulation (apps/e2e/test/simulation) runs
 * with ten times as many automations: it prints how far the simulated clock is, at the end its figures and every promise that was not kept. The exit
 * status is 1 when something failed. It takes an hour or more.
 */
import { bootstrap } from './lib/bootstrap.mjs';

await bootstrap(import.meta.url);

const { parseArgs } = await import('node:util');
const { pinnedNode } = await import('./lib/bootstrap.mjs');
const { infrastructureOrExit, infrastructureEnvironment } = await import('./lib/infrastructure.mjs');
const { createProgress } = await import('./lib/progress.mjs');
const { repositoryRoot } = await import('./lib/shell.mjs');
const { Supervision, whenAskedToEnd } = await import('./lib/supervision.mjs');

const { values } = parseArgs({
  options: {
    spins: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '100' },
    articles: { type: 'string', default: '365' },
    automations: { type: 'string', default: '10000' },
    customers: { type: 'string', default: '500' },
    days: { type: 'string', default: '3' },
    seed: { type: 'string', default: '7' },
  },
});

const progress = createProgress();
const supervision = new Supervision('npm run soak');
whenAskedToEnd(() => void supervision.end().then(() => process.exit(130)));
const infrastructure = await progress.step('PostgreSQL, RabbitMQ, Redis and Chromium', () =>
  infrastructureOrExit({ log: progress.log, supervision, isForTests: true }),
);
const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
/** Runs the tests of a project whose path contains `pattern`. @returns the exit code */
const run = (project, pattern, variables) =>
  new Promise((resolve) => {
    const child = supervision.startCommand(
      pinnedNode(),
      [...jest, '--config', `apps/${project}/jest.config.mjs`, '--testPathPatterns', pattern, '--maxWorkers=1'],
      { cwd: repositoryRoot, env: { ...process.env, ...infrastructureEnvironment(infrastructure), ...variables }, stdio: 'inherit' },
    );
    child.on('close', (code) => resolve(code ?? 1));
  });
const codes = [
  await run('prize-wheel', 'test/killed-draws', { KILLED_DRAWS_SPINS: values.spins }),
  await run('browser-worker', 'test/worker-kills', { WORKER_KILLS: values.kills, WORKER_KILLS_SEED: values.seed }),
  await run('blog', 'test/writing-kills', { WRITING_KILLS: values.kills, WRITING_KILLS_SEED: values.seed }),
  await run('blog', 'test/writing-months', { WRITING_DAYS: values.articles }),
  await run('e2e', 'test/simulation', {
    SIMULATION_AUTOMATIONS: values.automations,
    SIMULATION_CUSTOMERS: values.customers,
    SIMULATION_DAYS: values.days,
    SIMULATION_SEED: values.seed,
  }),
];
await supervision.end();
process.exit(Math.max(...codes));
