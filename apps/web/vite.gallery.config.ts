import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { typeface } from './src/build/font.ts';

/** The page of all components (`gallery.html`), built for the tests that look at it; it is no part of the app. */
export default defineConfig({
  plugins: [react(), tailwindcss(), typeface()],
  resolve: { conditions: ['@decola/source', 'module', 'browser', 'development|production'] },
  base: './',
  build: { rollupOptions: { input: 'gallery.html' }, outDir: '../../.decola/gallery', emptyOutDir: true, target: 'es2022' },
});
