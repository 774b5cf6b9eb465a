import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { blogPages } from './src/build/blog-pages.ts';
import { compressedFiles } from './src/build/compressed-files.ts';
import { typeface } from './src/build/font.ts';
import { pageWeight } from './src/build/page-weight.ts';
import { prerenderedPages } from './src/build/prerender.ts';
import { pureContracts } from './src/build/pure-contracts.ts';
import { routeWeight } from './src/build/route-weight.ts';
import { wheelPages } from './src/build/wheel-pages.ts';
import { zodWithoutJsonSchema } from './src/build/zod-without-json-schema.ts';

// What the landing page, the sign-in page and the app share is one file, and what all forms share another: many small files compress badly and cost a
// request each.
const sharedByFrontPages = [
  /node_modules\/(react|react-dom|scheduler|clsx|tailwind-merge|class-variance-authority)\//,
  /src\/components\/(logo|mark|ui\/(button|surface|ticks|looks))\.tsx?$/,
  /src\/lib\/(chosen-plan|configuration|format|page-title)\.ts$/,
  /src\/app\/render-or-hydrate\.ts$/,
  // Both pages show it, and a file of its own would be larger than the icon.
  /lucide-react\/dist\/esm\/icons\/check\.m?js$/,
];
const sharedByForms = [
  /node_modules\/react-hook-form\//,
  /src\/components\/(forms\/(code-field|use-validated-form)|ui\/field(-error)?)\.tsx?$/,
  /src\/lib\/(auth-errors|mail-link|toast|use-error-toast)\.ts$/,
  /contracts\/src\/quotas\.ts$/,
];
// Small parts that the landing page shares with pages of the app.
const sharedByLanding = [
  /contracts\/src\/runs\/warm-up\.ts$/,
  /src\/(components\/(frame-looks|texts)|pages\/(texts|footer)|components\/ui\/(dial|lamp))\.tsx?$/,
  /lucide-react\/dist\/esm\/icons\/(arrow-right|download|file-text|gift|hand|heart|message-circle|messages-square|plus|send|undo-2|user-plus|users|x)\.m?js$/,
];
const wheelDrawing = [/src\/components\/(prize-wheel|wheel-colours|use-wheel-turn)\.tsx?$/];
const landing = [/src\/(app\/start-landing|pages\/landing\/.*)\.tsx?$/];
const signIn = [/src\/(app\/start-sign-in|features\/auth\/sign-in-(page|or-up))\.tsx?$/];
const anyOf = (patterns: readonly RegExp[]) => (id: string) => patterns.some((pattern) => pattern.test(id));

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    typeface(),
    pureContracts(),
    zodWithoutJsonSchema(),
    pageWeight({
      '/': { modules: [/src\/app\/start-landing\.tsx$/], scripts: 110_000, transferred: 110 * 1_024 },
      '/auth': { modules: [/src\/app\/start-sign-in\.tsx$/], scripts: 110_000, transferred: 110 * 1_024 },
    }),
    routeWeight({
      routesIn: /src\/app\/(router|front-page|page-modules)\.tsx?$/,
      shared: [/src\/app\/start-app\.tsx$/],
      // Its rules are checked while one types, by the schemas that the server uses, and it has the steps of every tool.
      heavier: [[/features\/wizard\/wizard-page\.tsx$/, 96_000]],
    }),
    prerenderedPages(),
    wheelPages(),
    blogPages(),
    compressedFiles(),
  ],
  resolve: { conditions: ['@decola/source', 'module', 'browser', 'development|production'] },
  build: {
    sourcemap: false,
    target: 'es2022',
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What the entry itself needs stays out of the other groups, so that the entry loads nothing else before the first paint.
            { name: 'start', tags: ['$initial'], priority: 1 },
            { name: 'front', test: anyOf(sharedByFrontPages) },
            { name: 'forms', test: anyOf(sharedByForms) },
            { name: 'parts', test: anyOf(sharedByLanding) },
            { name: 'wheel-drawing', test: anyOf(wheelDrawing) },
            { name: 'landing', test: anyOf(landing) },
            { name: 'sign-in', test: anyOf(signIn) },
            // Icons of several pages are a few hundred bytes each.
            { name: 'icons', test: anyOf([/lucide-react\/dist\/esm\/icons\//]), minShareCount: 2 },
          ],
        },
      },
    },
  },
});
