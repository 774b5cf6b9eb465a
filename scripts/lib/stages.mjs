/** Parses the arguments of `npm test` and the output of its stages. */

/**
 * Adds up the closing lines of jest ("Tests: 1 failed, 2 skipped, 30 passed, 33 total") and of Playwright ("30 passed"). A flaky test
 * counts as failed.
 */
export function countTests(output) {
  const plain = withoutColours(output);
  const totals = { passed: 0, failed: 0, skipped: 0 };
  const add = (line) => {
    for (const [, count, word] of line.matchAll(/(\d+) (passed|failed|skipped|todo|flaky|did not run)/g)) {
      totals[word === 'passed' ? 'passed' : word === 'failed' || word === 'flaky' ? 'failed' : 'skipped'] += Number(count);
    }
  };
  for (const line of plain.split('\n'))
    if (/^\s*Tests:\s/.test(line) || /^\s+\d+ (passed|failed|skipped|flaky|did not run)\b/.test(line)) add(line);
  return totals;
}

/** Lines of a failure's own words that the summary repeats, and the most characters of each. */
const saidLines = 12;
const saidCharacters = 160;

/**
 * The tests that failed in the output of jest ("  ● suite › test", or "  ● test") and of Playwright ("  1) file:70:1 › test ──"), each once,
 * with the first lines of what they said.
 * @returns {{ name: string, said: string[] }[]}
 */
export function failedTests(output) {
  const failures = new Map();
  let said;
  for (const line of withoutColours(output).split('\n')) {
    const name = /^ {2}● (?!Console$)(.+)$/.exec(line)?.[1] ?? /^ {2}\d+\) (.+?)[ ─]*$/.exec(line)?.[1];
    if (name) {
      // jest repeats its failures at the end of a run.
      said = failures.has(name) ? undefined : [];
      if (said) failures.set(name, said);
    } else if (/^\S|^ {2}● /.test(line)) said = undefined;
    else if (said && line.trim() !== '' && said.length < saidLines) said.push(line.trim().slice(0, saidCharacters));
  }
  return [...failures].map(([name, lines]) => ({ name, said: lines }));
}

const withoutColours = (output) => output.replace(/\u001b\[[0-9;]*m/g, '');

/** Stages whose tests run the built services: they include the build. */
const needs = { integration: ['build'], journeys: ['build'] };

/** @param {string[]} only the requested stages @returns {Set<string>} these and the stages that they need */
export function stagesFor(only) {
  return new Set(only.flatMap((name) => [name, ...(needs[name] ?? [])]));
}
