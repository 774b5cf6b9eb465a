/** The test files of the repository by stage, and which of them belong to the long runs. All paths are relative to the repository. */
import { globSync } from 'node:fs';
import { repositoryRoot } from './shell.mjs';
import { longRuns } from './long-runs.mjs';

const patterns = {
  integration: '{apps,libs}/*/test/**/*.medium.spec.ts',
  journeys: 'apps/e2e/tests/**/*.spec.ts',
  unit: '{apps,libs}/*/src/**/*.spec.{ts,tsx}',
};

const filesOf = (stage) => globSync(patterns[stage], { cwd: repositoryRoot }).sort();
const isOnlyLong = (file) => longRuns.some((run) => run.file === file && !run.isSmallInGate);

/** @returns {string[]} files of a stage that `npm test` runs */
export const gateFiles = (stage) => filesOf(stage).filter((file) => !isOnlyLong(file));

/** @returns {'integration' | 'journeys' | 'unit' | undefined} the stage that a file belongs to */
export const stageOf = (file) => Object.keys(patterns).find((stage) => filesOf(stage).includes(file));
