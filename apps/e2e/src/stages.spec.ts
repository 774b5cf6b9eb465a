import { existsSync } from 'node:fs';
import path from 'node:path';
import { longRuns } from '../../../scripts/lib/long-runs.mjs';
import { stageNames, stagesFor } from '../../../scripts/lib/stages.mjs';
import { splitByTime } from '../../../scripts/lib/test-files.mjs';
import {
  countsOf,
  failedFiles,
  judge,
  readJest,
  readPlaywright,
  slowest,
  togetherByStage,
  type FileResult,
} from '../../../scripts/lib/test-results.mjs';

const root = path.resolve(__dirname, '../../..');

describe('the stages of npm test', () => {
  it('include the build when tests run the built services', () => {
    expect([...stagesFor(['journeys'])]).toEqual(['journeys', 'build']);
    expect([...stagesFor(['lint', 'unit'])]).toEqual(['lint', 'unit']);
    expect([...stagesFor([])].sort()).toEqual([...stageNames].sort());
  });
});

describe('the files of a stage that runs in two parts', () => {
  const seconds = { long: 60, short: 2, shorter: 1, middle: 7 };
  const files = Object.keys(seconds);

  it('are the shortest, up to a share of the time of all, and the others', () => {
    expect(splitByTime(files, 0.12, seconds)).toEqual({ longer: ['long', 'middle'], shortest: ['shorter', 'short'] });
    expect(splitByTime(files, 0, seconds)).toEqual({ longer: files, shortest: [] });
  });

  it('a file that nobody timed counts as ten seconds', () => {
    expect(splitByTime([...files, 'new'], 0.2, seconds)).toEqual({ longer: ['long', 'new'], shortest: ['shorter', 'short', 'middle'] });
  });

  it('have one result: the failures and the files of both', () => {
    const file = (name: string): FileResult => ({ file: name, seconds: 1, tests: [] });
    expect(
      togetherByStage([
        { name: 'integration', code: 0, seconds: 700, expected: 1, files: [file('a')] },
        { name: 'journeys', code: 0, seconds: 300, expected: 0, files: [] },
        { name: 'integration', code: 1, seconds: 200, expected: 2, files: [file('b')] },
        { name: 'lint', code: 0, seconds: 30 },
      ]),
    ).toEqual([
      { name: 'integration', code: 1, seconds: 700, expected: 3, files: [file('a'), file('b')] },
      { name: 'journeys', code: 0, seconds: 300, expected: 0, files: [] },
      { name: 'lint', code: 0, seconds: 30 },
    ]);
  });
});

describe('the list of long runs', () => {
  it('names files that exist, each once and with a reason', () => {
    expect(longRuns.filter(({ file }) => !existsSync(path.join(root, file)))).toEqual([]);
    expect(new Set(longRuns.map(({ file }) => file)).size).toBe(longRuns.length);
    expect(longRuns.filter(({ why }) => why.length < 20)).toEqual([]);
  });
});

describe('results', () => {
  it('of jest: each test, and a file that could not be loaded', () => {
    const report = {
      testResults: [
        {
          name: '/r/a.spec.ts',
          status: 'failed',
          message: '',
          startTime: 1_000,
          endTime: 3_500,
          assertionResults: [
            {
              fullName: 'a list ends',
              status: 'failed',
              failureMessages: [`\u001b[1mexpect\u001b[22m(received)\n\n  Expected: 1\n${'x\n'.repeat(40)}`],
            },
            { fullName: 'a list begins', status: 'passed', failureMessages: [] },
            { fullName: 'later', status: 'pending', failureMessages: [] },
          ],
        },
        { name: '/r/b.spec.ts', status: 'failed', message: 'Cannot find module', startTime: 0, endTime: 0, assertionResults: [] },
      ],
    };
    const [one, other] = readJest(report, '/r');
    expect(one).toMatchObject({ file: 'a.spec.ts', seconds: 2.5 });
    expect(one!.tests[0]!.said.slice(0, 2)).toEqual(['expect(received)', 'Expected: 1']);
    expect(one!.tests[0]!.said).toHaveLength(12);
    expect(countsOf([one!])).toEqual({ passed: 1, failed: 1, skipped: 1 });
    expect(other!.tests).toEqual([{ name: 'the file as a whole', status: 'failed', said: ['Cannot find module'] }]);
  });

  it('of Playwright: with the titles of their groups; a test that was not run is skipped', () => {
    const test = (status: string, message?: string) => ({
      status,
      results: [{ duration: 500, errors: message === undefined ? [] : [{ message }] }],
    });
    const report = {
      config: { rootDir: '/r/tests' },
      suites: [
        {
          title: 'pay.spec.ts',
          specs: [{ title: 'pays', file: 'pay.spec.ts', tests: [test('unexpected', 'y'.repeat(400))] }],
          suites: [
            {
              title: 'with a card',
              specs: [
                { title: 'buys', file: 'pay.spec.ts', tests: [test('expected')] },
                { title: 'waits', file: 'pay.spec.ts', tests: [test('skipped')] },
              ],
            },
          ],
        },
      ],
    };
    expect(readPlaywright(report, '/r')).toEqual([
      {
        file: 'tests/pay.spec.ts',
        seconds: 1.5,
        tests: [
          { name: 'pays', status: 'failed', said: ['y'.repeat(160)] },
          { name: 'with a card › buys', status: 'passed', said: [] },
          { name: 'with a card › waits', status: 'skipped', said: [] },
        ],
      },
    ]);
  });
});

describe('a file that failed and ran once more', () => {
  const result = (file: string, status: 'passed' | 'failed', seconds = 1): FileResult => ({
    file,
    seconds,
    tests: [{ name: 'works', status, said: [] }],
  });

  it('counts as passed and is flaky when it passes then', () => {
    const { files, flaky } = judge([result('a', 'failed'), result('b', 'passed')], [result('a', 'passed')]);
    expect(failedFiles(files)).toEqual([]);
    expect(flaky).toEqual([{ file: 'a', name: 'works', said: [] }]);
  });

  it('is failed, and not flaky, when it fails again or is not repeated', () => {
    const { files, flaky } = judge([result('a', 'failed'), result('b', 'failed')], [result('a', 'failed')]);
    expect(failedFiles(files)).toEqual(['a', 'b']);
    expect(flaky).toEqual([]);
  });

  it('is listed with the slowest', () => {
    expect(slowest([result('a', 'passed', 1), result('b', 'passed', 3), result('c', 'passed', 2)], 2).map(({ file }) => file)).toEqual([
      'b',
      'c',
    ]);
  });
});
