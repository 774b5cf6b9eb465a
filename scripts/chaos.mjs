/**
 * `npm run chaos -- --release-before`: runs the last release (`releases/last`) on a database that this tree has migrated, and lets a customer use it.
 *
 * `npm run chaos [-- --minutes 20 --customers 4 --followers 1200 --seed 7 --only browser-worker]`: starts a separate system, kills each of
 * its processes in random order while simulated customers use it, and prints each kill with its recovery time. Then a system with two replicas
 * of every service is restarted by SIGTERM, one service after another, and one of each is killed, at 50 requests a second; it prints failed requests by
 * kind. `-- --rolling` does only this, for the given time. At the end it prints which invariants were violated; the exit status is 1 when there was a
 * violation.
 */
import { bootstrap } from './lib/bootstrap.mjs';

await bootstrap(import.meta.url);

const { parseArgs } = await import('node:util');
const { createProgress } = await import('./lib/progress.mjs');
const { killNames, Trial } = await import('./lib/chaos/trial.mjs');
const { RollingTrial } = await import('./lib/rolling/trial.mjs');
const { whenAskedToEnd } = await import('./lib/supervision.mjs');

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    customers: { type: 'string', default: '3' },
    followers: { type: 'string', default: '1200' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    only: { type: 'string' },
    rolling: { type: 'boolean', default: false },
    'release-before': { type: 'boolean', default: false },
  },
});

if (values['release-before']) {
  const { tryReleaseBefore } = await import('./lib/chaos/release-before.mjs');
  process.exit(await tryReleaseBefore());
}

/** A seeded generator of random numbers, so that the same seed gives the same order of kills. */
function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const random = randomOf(Number(values.seed));
const names = killNames.filter((name) => !values.only || name.includes(values.only));
if (names.length === 0) {
  console.error(`Nothing is called ${values.only}; there are:\n  ${killNames.join('\n  ')}`);
  process.exit(2);
}
const progress = createProgress();
const line = (text) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);
const found = new Map();
const note = (violations) => {
  for (const { check, sentence } of violations) {
    const key = `${check}: ${sentence}`;
    if (!found.has(key)) line(`VIOLATION ${key}`);
    found.set(key, true);
  }
};

/** The system that runs at present. */
let running;
async function stop() {
  const last = running;
  running = undefined;
  await last?.stop();
}
whenAskedToEnd(() => void stop().then(() => process.exit(130)));

const deadline = () => Date.now() + Number(values.minutes) * 60_000;

async function killInRandomOrder() {
  const trial = await progress.step(`a system of its own, seed ${values.seed}`, () =>
    Trial.start({ customers: Number(values.customers), followers: Number(values.followers), builds: true, log: line }),
  );
  running = trial;
  const lastsUntil = deadline();
  let waiting = [];
  while (Date.now() < lastsUntil) {
    // Each kind of kill happens once before any is repeated.
    if (waiting.length === 0) waiting = names.map((name) => ({ name, place: random() })).sort((a, b) => a.place - b.place);
    note(await trial.kill(waiting.shift().name));
    await new Promise((resolve) => setTimeout(resolve, random() * 3_000));
  }
  line('all work comes to its end');
  note(await trial.settle({ timeoutMs: 15 * 60_000 }));
  await stop();
  printRecoveries(trial);
}

async function restartEveryService() {
  const rolling = await progress.step('a system with two replicas of every service', () => RollingTrial.start({ builds: true, log: line }));
  running = rolling;
  const lastsUntil = deadline();
  do note(await rolling.round());
  while (values.rolling && Date.now() < lastsUntil);
}

function printRecoveries(trial) {
  const seconds = trial.recoveries.map((recovery) => recovery.seconds).sort((a, b) => a - b);
  console.log(`\n${trial.recoveries.length} kills, ${trial.acknowledged} answered writes`);
  for (const name of names) {
    const own = trial.recoveries.filter((recovery) => recovery.name === name).map((recovery) => recovery.seconds);
    if (own.length > 0) console.log(`  ${name}: ${own.length} times, longest recovery ${Math.max(...own).toFixed(1)} s`);
  }
  console.log(`recovery: half within ${seconds[Math.floor(seconds.length / 2)]?.toFixed(1)} s, longest ${seconds.at(-1)?.toFixed(1)} s`);
}

try {
  if (!values.rolling) await killInRandomOrder();
  if (!values.only) await restartEveryService();
} finally {
  await stop();
}

console.log(found.size === 0 ? 'Every promise held.' : `${found.size} violations:\n  ${[...found.keys()].join('\n  ')}`);
process.exit(found.size === 0 ? 0 : 1);
