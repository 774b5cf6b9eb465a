/**
 * `npm test`: all checks and tests of the gate, from a fresh clone. Stages: build, then integration and the browser journeys side by side.
 * Unit tests, type check and lint run at the same time, with lower priority. A file that fails runs once more, alone, at the
 * end; what passes then is printed as flaky, and more than two flaky files fail the run. A skipped test fails the run.
 *
 * - `npm test -- lint unit`: some stages only.
 * - `npm test -- apps/identity/test/limits.medium.spec.ts`: some files only; `--repeat 10` runs them ten times and says how often they
 *   passed, `--load` keeps every core busy meanwhile, `--full` runs all of what has a small form in the gate.
 */
import { bootstrap } from './lib/bootstrap.mjs';

await bootstrap(import.meta.url);

const os = await import('node:os');
const path = await import('node:path');
const { parseArgs } = await import('node:util');
const { checkEnvironment, checks } = await import('./lib/checks.mjs');
const { repositoryRoot } = await import('./lib/shell.mjs');
const { stageNames, stagesFor } = await import('./lib/stages.mjs');
const { gateFiles, splitByTime, stageOf } = await import('./lib/test-files.mjs');
const { togetherByStage } = await import('./lib/test-results.mjs');
const { keepSeconds, nx, TestRun } = await import('./lib/test-run.mjs');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    repeat: { type: 'string', default: '1' },
    load: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
  },
});

/** How much of the integration tests, by the time they take, begins when the journeys have ended. */
const shareAfterJourneys = 0.12;

/** What was asked for: names of stages, or paths of files by their stage. */
const files = positionals.filter((name) => !stageNames.includes(name)).map((name) => path.relative(repositoryRoot, path.resolve(name)));
const unknown = files.filter((file) => stageOf(file) === undefined);
if (unknown.length > 0 || (files.length > 0 && files.length < positionals.length)) {
  console.error(
    unknown.length > 0
      ? `Neither a stage nor a test file: ${unknown.join(', ')}. Stages are ${stageNames.join(', ')}.`
      : 'Name stages or files, not both.',
  );
  process.exit(2);
}

const run = await TestRun.start('npm test', { isWhole: files.length === 0 });
const isOk = await (files.length > 0 ? runSome() : runStages()).finally(() => run.end());
process.exit(isOk ? 0 : 1);

/** Runs the named files again and again. */
async function runSome() {
  const times = Number(values.repeat);
  const wantedStages = new Set(files.map(stageOf));
  if (!(wantedStages.size === 1 && wantedStages.has('unit')) && (await run.execute(nx('build'))) !== 0) return false;
  const endLoad = values.load ? run.makeLoad() : () => {};
  let passed = 0;
  try {
    for (let time = 1; time <= times; time += 1) {
      let isPass = true;
      for (const stage of wantedStages) {
        const { code } = await run.runFiles(
          stage,
          files.filter((file) => stageOf(file) === stage),
          { isFull: values.full },
        );
        isPass &&= code === 0;
      }
      if (isPass) passed += 1;
      if (times > 1) console.log(`\n=== ${passed} of ${time} passed ===`);
    }
  } finally {
    endLoad();
  }
  return passed === times;
}

async function runStages() {
  const wanted = stagesFor(positionals);
  const cores = os.availableParallelism();
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = os.constants.priority;
  const commands = (list, environment) => async (how) => {
    const codes = [];
    for (const args of list) codes.push(await run.execute(args, { ...how, environment }));
    return { code: Math.max(...codes) };
  };
  const tests =
    (name, workers, files = gateFiles(name)) =>
    async (how) => ({
      ...(await run.runFiles(name, files, { ...how, workers })),
      expected: files.length,
    });

  // An integration test waits half of its time, so two files a core keep a core busy; the journeys are one of them, and later the shortest files.
  const hasJourneys = wanted.has('journeys');
  const { longer, shortest } = splitByTime(gateFiles('integration'), hasJourneys ? shareAfterJourneys : 0);
  const stages = {
    build: commands([nx('build')]),
    integration: tests('integration', Math.max(1, 2 * cores - (hasJourneys ? 1 : 0)), longer),
    journeys: tests('journeys', 1),
    lint: commands(checks.lint, checkEnvironment),
    typecheck: commands(checks.typecheck, checkEnvironment),
    unit: tests('unit', cores),
  };
  const stage = (name) => ({ name, work: stages[name] });
  const afterJourneys = shortest.length > 0 ? [{ name: 'integration', work: tests('integration', 1, shortest) }] : [];

  /**
   * What runs beside integration tests and journeys, and uses what those leave while they wait. Unit tests would miss their deadlines with the
   * lowest priority; lint and type check have none.
   */
  const asidePriority = { unit: PRIORITY_BELOW_NORMAL, typecheck: PRIORITY_LOW, lint: PRIORITY_LOW };

  /**
   * Steps run one after another; the lanes of a step at the same time. The first one prints as it goes, and the others at the end of each of
   * their stages.
   */
  const steps = [
    [[stage('build')]],
    [[stage('integration')], [stage('journeys'), ...afterJourneys], Object.keys(asidePriority).map(stage)],
  ].map((lanes) => lanes.map((lane) => lane.filter(({ name }) => wanted.has(name))).filter((lane) => lane.length > 0));

  const runLane = async (lane, isQuiet) => {
    const results = [];
    for (const { name, work } of lane) {
      const began = Date.now();
      console.log(`\n=== ${name}${isQuiet ? ' begins' : ''} ===`);
      const result = await work({ priority: isQuiet ? asidePriority[name] : undefined, isQuiet });
      if (isQuiet) console.log(`\n=== ${name} ends ===`);
      results.push({ name, ...result, seconds: (Date.now() - began) / 1000 });
    }
    return results;
  };

  const results = [];
  for (const lanes of steps) results.push(...(await Promise.all(lanes.map((lane, index) => runLane(lane, index > 0)))).flat());
  keepSeconds(results.flatMap(({ files: timed = [] }) => timed));
  return run.summarize(togetherByStage(results));
}
