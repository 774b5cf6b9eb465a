import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressedFiles } from './src/build/compressed-files.ts';
import { landingWeight } from './src/build/landing-weight.ts';

export default defineConfig({
  plugins: [react(), tailwindcss(), landingWeight(/src\/pages\/landing\/landing-page\.tsx$/), compressedFiles()],
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  build: { sourcemap: false, target: 'es2022' },
});
