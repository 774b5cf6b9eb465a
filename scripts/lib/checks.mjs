import os from 'node:os';

/** The compiler starts four checkers, and each checks the types of the libraries again; more of them than cores only cost. */
const checkers = String(Math.min(4, os.availableParallelism()));

/**
 * What `npm run lint` and `npm run typecheck` consist of, as arguments of Node. `npm test` runs the same.
 *
 * @type {Record<'lint' | 'typecheck', string[][]>}
 */
export const checks = {
  lint: [
    ['node_modules/oxlint/bin/oxlint', '--max-warnings', '0', '.'],
    ['node_modules/oxfmt/bin/oxfmt', '--check'],
    ['tools/check-dependencies.mjs'],
    ['tools/describe.mjs', '--check'],
    ['tools/check-releases.mjs'],
  ],
  // Programs by what their code may use: no page (services and libraries), a page in a browser, a page that Vite bundles.
  typecheck: ['tsconfig.services.json', 'tsconfig.browser.json', 'apps/web/tsconfig.json'].map((project) => [
    'node_modules/typescript7/bin/tsc',
    ...['-p', project, '--checkers', checkers],
  ]),
};

/** Programs written in Go collect garbage less often: it saves them a quarter of their processor time, for memory that so short a run can spare. */
export const checkEnvironment = { GOGC: '400' };
