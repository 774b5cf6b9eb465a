/** All unit and integration tests of the repository: `scripts/test.mjs` names the files of a run, which share its workers, the longest first. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { testTimeout } from './tools/jest-preset.mjs';

const root = path.dirname(fileURLToPath(import.meta.url));
const directories = ['apps', 'libs'].flatMap((folder) => readdirSync(path.join(root, folder)).map((name) => path.join(folder, name)));

const projects = await Promise.all(
  directories
    .filter((directory) => existsSync(path.join(root, directory, 'jest.config.mjs')))
    .map(async (directory) => {
      const { default: project } = await import(path.join(root, directory, 'jest.config.mjs'));
      // A run over several projects knows one value for all of them.
      const { workerIdleMemoryLimit: _memory, testTimeout: _time, ...own } = project;
      return { ...own, displayName: path.basename(directory) };
    }),
);

export default {
  projects,
  testSequencer: path.join(root, 'tools/longest-first.cjs'),
  workerIdleMemoryLimit: '700MB',
  testTimeout,
};
