/** The test files of the repository by stage, and which of them belong to the long runs. All paths are relative to the repository. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from './shell.mjs';
import { longRuns } from './long-runs.mjs';

const patterns = {
  integration: '{apps,libs}/*/test/**/*.medium.spec.ts',
  journeys: 'apps/e2e/tests/**/*.spec.ts',
  unit: '{apps,libs}/*/src/**/*.spec.{ts,tsx}',
};

/** As in tools/longest-first.cjs. */
const secondsOfNewFile = 10;

const filesOf = (stage) => globSync(patterns[stage], { cwd: repositoryRoot }).sort();
const isOnlyLong = (file) => longRuns.some((run) => run.file === file && !run.isSmallInGate);

/** @returns {string[]} files of a stage that `npm test` runs */
export const gateFiles = (stage) => filesOf(stage).filter((file) => !isOnlyLong(file));

/** @returns {'integration' | 'journeys' | 'unit' | undefined} the stage that a file belongs to */
export const stageOf = (file) => Object.keys(patterns).find((stage) => filesOf(stage).includes(file));

/** @returns {Record<string, number>} how long files took in an earlier run, as tools/longest-first.cjs reads it */
const knownSeconds = () => JSON.parse(readFileSync(path.join(repositoryRoot, 'tools/test-seconds.json'), 'utf8'));

/**
 * @param {string[]} files @param {number} share of the time that all of them take, 0 to 1 @param {Record<string, number>} [seconds]
 * @returns {{ longer: string[]; shortest: string[] }} `shortest`: those that take up to this share together
 */
export function splitByTime(files, share, seconds = knownSeconds()) {
  const secondsOf = (file) => seconds[file] ?? secondsOfNewFile;
  let left = share * files.reduce((sum, file) => sum + secondsOf(file), 0);
  const shortest = new Set();
  for (const file of files.toSorted((one, other) => secondsOf(one) - secondsOf(other))) {
    left -= secondsOf(file);
    if (left < 0) break;
    shortest.add(file);
  }
  return { longer: files.filter((file) => !shortest.has(file)), shortest: [...shortest] };
}
