/** What `npm test` and `npm run test:long` share: servers and environment of tests, running files of a stage, retries and the summary. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pinnedNode } from './bootstrap.mjs';
import { infrastructureEnvironment, infrastructureOrExit } from './infrastructure.mjs';
import { stateDirectory } from './parts/state.mjs';
import { createProgress } from './progress.mjs';
import { compileCache, repositoryRoot } from './shell.mjs';
import { Supervision, whenAskedToEnd } from './supervision.mjs';
import { folderInMemory, makeTemporaryFolder } from './temporary-folder.mjs';
import { countsOf, failedFiles, failuresOf, judge, mostFlakyFiles, readJest, readPlaywright, slowest } from './test-results.mjs';

/** Files that fail are repeated only when they are this few: more are no accident. */
const mostRepeatedFiles = 5;

const bin = (file) => path.join(repositoryRoot, 'node_modules', file);
const resultsDirectory = path.join(stateDirectory, 'results');

/** Arguments of nx that run a target of all projects. */
export const nx = (target) => [bin('nx/dist/bin/nx.js'), 'run-many', '-t', target, '--outputStyle=static'];

export class TestRun {
  #supervision;
  #environment;
  #temporary;
  #memory;
  #runs = 0;
  progress = createProgress();
  /** Load of the last minute before the run began. */
  loadBefore = os.loadavg()[0];

  /**
   * Starts the servers of the tests. @param {string} command its name for people, such as `npm test` @param {{ isWhole?: boolean }} what `isWhole`:
   * whole stages run, and the servers' data are kept in memory where it has room for them. Otherwise they are those of the clone, so that the next run
   * finds its prepared databases.
   */
  static async start(command, { isWhole = false } = {}) {
    const run = new TestRun();
    const supervision = new Supervision(command);
    run.#supervision = supervision;
    run.#temporary = makeTemporaryFolder();
    const memory = isWhole ? folderInMemory() : undefined;
    run.#memory = memory && makeTemporaryFolder(memory);
    whenAskedToEnd(() => void run.end().then(() => process.exit(130)));
    const infrastructure = await run.progress.step('PostgreSQL, RabbitMQ, Redis and Chromium', () =>
      infrastructureOrExit({ log: run.progress.log, supervision, isForTests: true, ...(run.#memory ? { data: run.#memory.path } : {}) }),
    );
    run.#environment = {
      ...process.env,
      TMPDIR: run.#temporary.path,
      ...infrastructureEnvironment(infrastructure),
      NX_DAEMON: 'false',
      NX_TUI: 'false',
      FORCE_COLOR: '0',
      NODE_COMPILE_CACHE: compileCache,
      PATH: [path.dirname(pinnedNode()), bin('.bin'), process.env.PATH].join(path.delimiter),
    };
    return run;
  }

  async end() {
    await this.#supervision.end();
    this.#temporary.remove();
    this.#memory?.remove();
  }

  /** Keeps every core busy until the returned function is called. */
  makeLoad() {
    const children = Array.from({ length: os.availableParallelism() }, () =>
      this.#supervision.startCommand(pinnedNode(), ['-e', 'for (;;);'], { stdio: 'ignore' }),
    );
    return () => children.forEach((child) => child.kill('SIGKILL'));
  }

  /**
   * Runs a program of Node and returns its exit code. @param priority as `os.setPriority` has it @param isQuiet prints its output at its end,
   * so that the output of two stages does not mix
   */
  execute(args, { priority, isQuiet = false, environment = {} } = {}) {
    return new Promise((resolve) => {
      const child = this.#supervision.startCommand(pinnedNode(), args, {
        cwd: repositoryRoot,
        env: { ...this.#environment, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      if (priority !== undefined) os.setPriority(child.pid, priority);
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk) => {
          if (isQuiet) output += chunk;
          else process.stdout.write(chunk);
        });
      }
      child.on('close', (code) => {
        process.stdout.write(output);
        resolve(code ?? 1);
      });
    });
  }

  /**
   * Runs test files of one stage. @param {'integration' | 'journeys' | 'unit'} stage @param {string[]} files @param workers files that run
   * at the same time @param isFull runs the large form of tests that have two @param priority, isQuiet see `execute`
   * @returns {Promise<{ code: number; files: import('./test-results.mjs').FileResult[] }>} `files` lacks those of which nothing was reported
   */
  async runFiles(stage, files, { workers = 1, isFull = false, ...how } = {}) {
    if (files.length === 0) return { code: 0, files: [] };
    mkdirSync(resultsDirectory, { recursive: true });
    const report = path.join(resultsDirectory, `${process.pid}-${stage}-${(this.#runs += 1)}.json`);
    const isJourney = stage === 'journeys';
    const args = isJourney
      ? [bin('@playwright/test/cli.js'), 'test', '--config', 'apps/e2e/playwright.config.ts', '--reporter=list,json', ...files]
      : [
          ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', bin('jest/bin/jest.js'), '--config', 'jest.config.mjs'],
          ...[`--maxWorkers=${workers}`, '--json', `--outputFile=${report}`, '--runTestsByPath', ...files],
        ];
    const environment = { ...(isJourney ? { PLAYWRIGHT_JSON_OUTPUT_FILE: report } : {}), ...(isFull ? { TEST_SIZE: 'full' } : {}) };
    const code = await this.execute(args, { ...how, environment });
    try {
      const read = isJourney ? readPlaywright : readJest;
      return { code, files: read(JSON.parse(readFileSync(report, 'utf8')), repositoryRoot) };
    } catch (error) {
      console.error(`The results of ${stage} cannot be read: ${error.message}`);
      return { code: code || 1, files: [] };
    } finally {
      rmSync(report, { force: true });
    }
  }

  /** Runs the failed files of stages once more, each alone. @returns their results by stage */
  async repeatFailed(stages, { isFull }) {
    const failed = stages.flatMap(({ name, files = [] }) => failedFiles(files).map((file) => ({ name, file })));
    const again = new Map();
    if (failed.length === 0) return again;
    if (failed.length > mostRepeatedFiles) {
      console.log(`\n${failed.length} files failed. So many are no accident: none is repeated.`);
      return again;
    }
    for (const { name, file } of failed) {
      console.log(`\n=== once more, alone: ${file} ===`);
      const { files } = await this.runFiles(name, [file], { isFull });
      again.set(name, [...(again.get(name) ?? []), ...files]);
    }
    return again;
  }

  /**
   * Prints the summary: last and short, so that it names every failed test where only the end of a long output is kept.
   * @param stages `{ name, code, seconds, expected?, files? }`: a stage with `files` counts tests; `expected` is how many files it should have
   * @returns {Promise<boolean>} whether the run passed
   */
  async summarize(stages, { isFull = false } = {}) {
    const again = await this.repeatFailed(stages, { isFull });
    const judged = stages.map((stage) => ({
      ...stage,
      // An exit code that no failed test explains is a failure of its own.
      isExplained: stage.code === 0 || failedFiles(stage.files ?? []).length > 0,
      ...(stage.files ? judge(stage.files, again.get(stage.name) ?? []) : { flaky: [] }),
    }));
    const flaky = judged.flatMap((stage) => stage.flaky);
    const failed = judged.flatMap(({ files = [] }) => failuresOf(files));
    const all = judged.flatMap(({ files = [] }) => files);

    const tell = ({ file, name, said }) => [`${file} › ${name}`, ...said.map((line) => `    ${line}`)].join('\n');
    if (failed.length > 0) console.log(`\n=== failures ===\n${failed.map(tell).join('\n')}`);
    if (flaky.length > 0) console.log(`\n=== failed first, passed alone ===\n${flaky.map(tell).join('\n')}`);
    if (all.length > 1)
      console.log(
        `\n=== slowest files ===\n${slowest(all)
          .map(({ file, seconds }) => `${seconds.toFixed(0).padStart(5)} s  ${file}`)
          .join('\n')}`,
      );

    console.log(
      `\n=== summary (${this.progress.total()}; load ${this.loadBefore.toFixed(1)} before, ${os.loadavg()[2].toFixed(1)} of late) ===`,
    );
    let isOk = true;
    for (const { name, isExplained, seconds, expected, files } of judged) {
      const { isOk: isStageOk, said } = files ? judgeFiles(files, expected) : { isOk: true, said: isExplained ? 'ok' : 'failed' };
      isOk &&= isStageOk && isExplained;
      console.log(`${isStageOk && isExplained ? '✓' : '✗'} ${name}: ${said} (${seconds.toFixed(0)} s)`);
    }
    for (const { file, name } of failed) console.log(`  failed: ${file} › ${name}`);
    for (const { file, name } of flaky) console.log(`  flaky: ${file} › ${name}`);
    const flakyFiles = new Set(flaky.map(({ file }) => file)).size;
    if (flakyFiles > mostFlakyFiles) console.log(`✗ ${flakyFiles} files are flaky; more than ${mostFlakyFiles} fail the run.`);
    return isOk && flakyFiles <= mostFlakyFiles;
  }
}

/** Judges the final results of a stage that should have `expected` files. */
function judgeFiles(files, expected) {
  const { passed, failed, skipped } = countsOf(files);
  const missing = expected - files.length;
  const said = [
    `${passed} passed`,
    `${failed} failed`,
    `${skipped} skipped`,
    ...(missing > 0 ? [`${missing} files without a result`] : []),
  ];
  return { isOk: failed === 0 && skipped === 0 && missing === 0, said: said.join(', ') };
}

/** Keeps how long files took, in the form of `tools/test-seconds.json`. */
export function keepSeconds(files) {
  const seconds = Object.fromEntries(
    files.map(({ file, seconds: took }) => [file, Math.round(took)]).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  writeFileSync(path.join(stateDirectory, 'test-seconds.json'), `${JSON.stringify(seconds, null, 2)}\n`);
}
