import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';

const libraries = (...names) => names.map((name) => `scope:${name}`);

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '.nx/**', '.decola/**'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'off', // decorator metadata needs the value import
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      'no-console': 'error', // services log through service-kit, which keeps secrets out
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx', '**/*.mjs'],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          allow: ['.*/tools/jest-preset.mjs$', '.*/scripts/lib/[a-z]+\\.mjs$'],
          depConstraints: [
            // An app imports only libs; the browser app only what is safe in a browser.
            {
              sourceTag: 'type:service',
              onlyDependOnLibsWithTags: libraries('contracts', 'service-kit', 'messaging', 'database', 'table-api', 'testing'),
            },
            { sourceTag: 'type:web', onlyDependOnLibsWithTags: libraries('contracts') },
            { sourceTag: 'type:sandbox', onlyDependOnLibsWithTags: libraries('contracts', 'service-kit', 'testing') },
            { sourceTag: 'type:e2e', onlyDependOnLibsWithTags: libraries('contracts', 'testing') },
            // Libraries form layers.
            { sourceTag: 'scope:contracts', onlyDependOnLibsWithTags: [] },
            { sourceTag: 'scope:service-kit', onlyDependOnLibsWithTags: libraries('contracts') },
            { sourceTag: 'scope:database', onlyDependOnLibsWithTags: libraries('contracts', 'service-kit') },
            { sourceTag: 'scope:messaging', onlyDependOnLibsWithTags: libraries('contracts', 'service-kit', 'database', 'testing') },
            { sourceTag: 'scope:table-api', onlyDependOnLibsWithTags: libraries('contracts', 'service-kit', 'database', 'testing') },
            { sourceTag: 'scope:testing', onlyDependOnLibsWithTags: libraries('contracts', 'service-kit', 'database') },
          ],
        },
      ],
    },
    languageOptions: { parser: tseslint.parser },
  },
  {
    files: ['apps/web/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: reactHooks.configs.recommended.rules,
    languageOptions: { globals: globals.browser },
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
    files: ['**/*.spec.ts', '**/*.spec.tsx', '**/test/**/*.ts'],
    rules: {
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  { files: ['**/*.mjs', '**/*.js'], extends: [tseslint.configs.disableTypeChecked] },
  // Operators' commands and the sandbox's console speak on standard output.
  { files: ['**/*.command.ts'], rules: { 'no-console': 'off' } },
  prettier,
);
