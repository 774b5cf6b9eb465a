import { mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin } from 'vite';
import { buildServerModule } from './server-module.ts';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Builds the pages of the blog (`vite.blog.config.ts`) after the app, into the same folder. Their scripts and styles are public. What the gateway needs to
 * render them is in the folder `server`, which is not: `blog.html`, and `blog-pages.cjs` (`blog-pages/server.tsx`).
 */
export function blogPages(): Plugin {
  return {
    name: 'blog-pages',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const server = path.join(dir, 'server');
      await build({ root, configFile: path.join(root, 'vite.blog.config.ts'), build: { outDir: dir, emptyOutDir: false } });
      mkdirSync(server, { recursive: true });
      renameSync(path.join(dir, 'blog.html'), path.join(server, 'blog.html'));
      await buildServerModule({ input: 'src/blog-pages/server.tsx', outDir: server, fileName: 'blog-pages.cjs' });
    },
  };
}
