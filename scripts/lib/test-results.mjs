/**
 * Reads what jest (`--json`) and Playwright (reporter `json`) write about a run, and judges what failed first and passed alone.
 *
 * @typedef {{ name: string; status: 'passed' | 'failed' | 'skipped'; said: string[] }} TestResult `said`: first lines of the failure
 * @typedef {{ file: string; seconds: number; tests: TestResult[] }} FileResult `file`: relative to the repository
 */
import path from 'node:path';

/** Lines of a failure's own words that the summary repeats, and the most characters of each. */
const saidLines = 12;
const saidCharacters = 160;

/** More files than this that fail first and pass alone fail the run. */
export const mostFlakyFiles = 2;

/** @param report parsed JSON of jest @param {string} root the repository's path @returns {FileResult[]} */
export function readJest(report, root) {
  return report.testResults.map(({ name, status, message, startTime, endTime, assertionResults }) => {
    const tests = assertionResults.map(({ fullName, status: how, failureMessages }) => ({
      name: fullName,
      status: how === 'passed' || how === 'failed' ? how : 'skipped',
      said: linesOf(failureMessages?.join('\n')),
    }));
    // Also when the file could not be loaded, or a hook after the last test failed.
    if (status === 'failed' && !tests.some((test) => test.status === 'failed'))
      tests.push({ name: 'the file as a whole', status: 'failed', said: linesOf(message) });
    return { file: path.relative(root, name), seconds: Math.max(0, (endTime - startTime) / 1000), tests };
  });
}

/** @param report parsed JSON of Playwright @param {string} root the repository's path @returns {FileResult[]} */
export function readPlaywright(report, root) {
  const files = new Map();
  const visit = (suite, titles) => {
    for (const spec of suite.specs ?? []) {
      const file = path.relative(root, path.resolve(report.config.rootDir, spec.file));
      const found = files.get(file) ?? { file, seconds: 0, tests: [] };
      files.set(file, found);
      for (const { status, results } of spec.tests) {
        const errors = results.flatMap(({ errors: some }) => some.map(({ message }) => message));
        found.seconds += results.reduce((sum, { duration }) => sum + duration / 1000, 0);
        found.tests.push({
          name: [...titles, spec.title].join(' › '),
          status: status === 'expected' ? 'passed' : status === 'skipped' ? 'skipped' : 'failed',
          said: linesOf(errors.join('\n')),
        });
      }
    }
    for (const inner of suite.suites ?? []) visit(inner, [...titles, inner.title]);
  };
  for (const suite of report.suites) visit(suite, []);
  return [...files.values()];
}

/** Failed tests of files. @param {FileResult[]} files */
export const failuresOf = (files) =>
  files.flatMap(({ file, tests }) => tests.filter(({ status }) => status === 'failed').map(({ name, said }) => ({ file, name, said })));

/** Files with a failed test. @param {FileResult[]} files @returns {string[]} */
export const failedFiles = (files) => [...new Set(failuresOf(files).map(({ file }) => file))];

/** How many tests of files ended how. @param {FileResult[]} files */
export function countsOf(files) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { tests } of files) for (const { status } of tests) counts[status] += 1;
  return counts;
}

/**
 * Judges a run by its first results and by those of its failed files, which ran once more alone.
 * @param {FileResult[]} first @param {FileResult[]} again
 * @returns {{ files: FileResult[]; flaky: { file: string; name: string; said: string[] }[] }} `files`: the result that counts for each
 * file; `flaky`: tests that failed first, in files that passed alone
 */
export function judge(first, again) {
  const later = new Map(again.map((result) => [result.file, result]));
  return {
    files: first.map((result) => later.get(result.file) ?? result),
    flaky: failuresOf(first).filter(({ file }) => later.has(file) && !later.get(file).tests.some(({ status }) => status === 'failed')),
  };
}

/** The files that took longest. @param {FileResult[]} files */
export const slowest = (files, count = 10) => [...files].sort((one, other) => other.seconds - one.seconds).slice(0, count);

const linesOf = (text = '') =>
  text
    .replace(/\u001b\[[0-9;]*m/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(0, saidLines)
    .map((line) => line.slice(0, saidCharacters));

/**
 * One result for each stage, of which some ran in two parts at different times. @param results `{ name, code, seconds, expected?, files? }` of each part
 */
export function togetherByStage(results) {
  const stages = new Map();
  for (const part of results) {
    const before = stages.get(part.name);
    stages.set(part.name, before ? together(before, part) : part);
  }
  return [...stages.values()];
}

const together = (one, other) => ({
  name: one.name,
  code: Math.max(one.code, other.code),
  seconds: Math.max(one.seconds, other.seconds),
  expected: one.expected + other.expected,
  files: [...one.files, ...other.files],
});
