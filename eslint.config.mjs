import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import { zones } from './tools/layers.mjs';
import { testRules } from './tools/lint/test-rules.mjs';

const libraries = (...names) => names.map((name) => `scope:${name}`);

/**
 * The layers of the workspace, and what may not be imported or written where: what oxlint does not know. It needs no types. All other rules,
 * those that need types among them, are oxlint's (.oxlintrc.json).
 */
export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '.nx/**', '.decola/**'] },
  // Comments that switch a rule of oxlint off name it as the plugins do: known here, judged there.
  {
    plugins: { '@typescript-eslint': tseslint.plugin },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
  },
  {
    files: ['**/*.ts', '**/*.tsx', '**/*.mjs'],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          allow: [
            '.*/tools/(heap|jest-preset|layers|lint/test-rules|releases/[a-z-]+)\\.mjs$',
            '.*/tools/jest/(browser|native)-environment\\.cjs$',
            '.*/scripts/lib/([a-z]+/)?[a-z-]+\\.mjs$',
          ],
          depConstraints: [
            // An app imports only libs; the browser app only what is safe in a browser.
            {
              sourceTag: 'type:service',
              onlyDependOnLibsWithTags: libraries(
                ...['contracts', 'service-kit', 'messaging', 'mailer', 'outgoing-http', 'database', 'table-api', 'testing'],
                'wordpress-plugin', // its `testing` starts a real WordPress
              ),
            },
            { sourceTag: 'type:web', onlyDependOnLibsWithTags: libraries('contracts') },
            // A stand-in must not share code with what it tests: both would be wrong together.
            { sourceTag: 'type:sandbox', onlyDependOnLibsWithTags: libraries('testing') },
            { sourceTag: 'type:e2e', onlyDependOnLibsWithTags: libraries('contracts', 'testing', 'wordpress-plugin') },
            { sourceTag: 'type:plugin', onlyDependOnLibsWithTags: libraries('testing') },
            // Libraries form layers.
            { sourceTag: 'scope:contracts', onlyDependOnLibsWithTags: [] },
            { sourceTag: 'scope:service-kit', onlyDependOnLibsWithTags: libraries('contracts') },
            { sourceTag: 'scope:database', onlyDependOnLibsWithTags: libraries('contracts', 'service-kit') },
            { sourceTag: 'scope:messaging', onlyDependOnLibsWithTags: libraries('contracts', 'service-kit', 'database', 'testing') },
            { sourceTag: 'scope:mailer', onlyDependOnLibsWithTags: libraries('contracts', 'service-kit', 'database', 'testing') },
            { sourceTag: 'scope:outgoing-http', onlyDependOnLibsWithTags: libraries('service-kit') },
            { sourceTag: 'scope:table-api', onlyDependOnLibsWithTags: libraries('contracts', 'service-kit', 'database', 'testing') },
            { sourceTag: 'scope:testing', onlyDependOnLibsWithTags: libraries('contracts', 'service-kit', 'database') },
          ],
        },
      ],
    },
    languageOptions: { parser: tseslint.parser },
  },
  {
    // The simulation runs the automations service and the browser worker's engine in one process, on one simulated clock.
    files: ['apps/e2e/test/simulation/*.ts', 'apps/e2e/test/simulation.medium.spec.ts'],
    rules: { '@nx/enforce-module-boundaries': 'off' },
  },
  {
    files: ['apps/*/src/**/*.{ts,tsx}'],
    ignores: ['**/*.spec.ts', '**/*.spec.tsx'],
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver-next': [
        createNodeResolver({ extensions: ['.ts', '.tsx', '.js'], extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } }),
      ],
    },
    rules: { 'import-x/no-restricted-paths': ['error', { basePath: import.meta.dirname, zones: zones() }] },
  },
  {
    files: ['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'],
    ignores: ['libs/service-kit/src/**', 'libs/contracts/**', '**/*.spec.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            ...['Logger', 'ConsoleLogger'].map((importName) => ({
              name: '@nestjs/common',
              importNames: [importName],
              message: "Nest's logger loses the sentence after the facts: use Logger of service-kit.",
            })),
            { name: 'nestjs-pino', message: 'Use Logger of service-kit: a line without a sentence does not compile.' },
            { name: 'pino', message: 'Use Logger of service-kit: a line without a sentence does not compile.' },
          ],
        },
      ],
    },
  },
  {
    files: ['apps/*/src/**/*.ts'],
    // Commands of operators may use the driver itself.
    ignores: ['apps/*/src/commands/**', '**/*.spec.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[typeArguments][callee.property.name='query']",
          message: 'Read rows with rowsOf or rowOf of @decola/database, and count changed ones with changedRows.',
        },
      ],
    },
  },
  {
    files: ['libs/contracts/src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^(?!\\.{1,2}/|zod$|date-fns(/|$)|@date-fns/tz$)',
              message: 'contracts runs in the browser and in every service: only zod and date arithmetic.',
            },
          ],
        },
      ],
    },
  },
  {
    files: [
      '{apps,libs}/*/test/**/*.ts',
      '{apps,libs}/*/src/**/*.spec.{ts,tsx}',
      'apps/e2e/{src,tests}/**/*.ts',
      'libs/testing/src/**/*.ts',
    ],
    plugins: { tests: testRules },
    rules: {
      'tests/ends-what-started': 'error',
      'tests/is-seeded': 'error',
      'tests/measures-no-speed': 'error',
      'tests/waits-long-enough': 'error',
    },
  },
  prettier,
);
