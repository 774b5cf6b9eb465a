import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (file) => fileURLToPath(new URL(`jest/${file}`, import.meta.url));

/** In ms. It bounds only what hangs: tests share the machine, so it is the same for short ones and for those that run real browsers. */
export const testTimeout = 360_000;

/** Jest configuration of one project. `browser` runs component tests in jsdom. */
export function jestProject(configUrl, { browser = false } = {}) {
  return {
    rootDir: path.dirname(fileURLToPath(configUrl)),
    // Not in the temporary folder, which is removed after a run.
    cacheDirectory: here('../../node_modules/.cache/jest'),
    testEnvironment: here(browser ? 'browser-environment.cjs' : 'native-environment.cjs'),
    runtime: here('native-runtime.cjs'),
    testEnvironmentOptions: { customExportConditions: ['@decola/source', ...(browser ? ['browser'] : ['node', 'node-addons'])] },
    testTimeout,
    transform: {
      '\\.[cm]?[jt]sx?$': [
        '@swc/jest',
        {
          jsc: {
            parser: { syntax: 'typescript', decorators: true, tsx: browser },
            target: 'es2023',
            keepClassNames: true,
            transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false, react: { runtime: 'automatic' } },
          },
          // Jest keeps the map in a file beside the translated source; within it, V8 would read the map each time a test loads the source.
          sourceMaps: true,
          module: { type: 'commonjs' },
        },
      ],
    },
    moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
    modulePathIgnorePatterns: ['<rootDir>/dist/'],
    workerIdleMemoryLimit: '512MB',
  };
}
