import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin } from 'vite';
import { buildServerModule } from './server-module.ts';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Builds the pages of the prize wheel (`vite.wheel.config.ts`) after the app, into the same folder. Their scripts and styles are public. What the gateway
 * needs to answer with a page is in the folder `server`, which is not: `wheel-pages.cjs`, which renders a page's first state (`wheel-pages/server.tsx`) and has
 * React in it; `wheel-rendered.html` for a page with such markup, whose scripts are loaded after the first paint; and `wheel.html` for a page without, which
 * shows nothing before its scripts.
 */
export function wheelPages(): Plugin {
  return {
    name: 'wheel-pages',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const server = path.join(dir, 'server');
      await build({ root, configFile: path.join(root, 'vite.wheel.config.ts'), build: { outDir: dir, emptyOutDir: false } });
      const start = await buildStartOfRendered(dir);
      mkdirSync(server, { recursive: true });
      renameSync(path.join(dir, 'wheel.html'), path.join(server, 'wheel.html'));
      writeFileSync(path.join(server, 'wheel-rendered.html'), startedBy(start, readFileSync(path.join(server, 'wheel.html'), 'utf8')));
      await buildServerModule({ input: 'src/wheel-pages/server.tsx', outDir: server, fileName: 'wheel-pages.cjs' });
    },
  };
}

/** The page with this script in place of its own, which this script loads. */
function startedBy(start: string, page: string): string {
  const own = /<script type="module" crossorigin src="([^"]+)"><\/script>/;
  if (!own.test(page)) throw new Error('wheel.html has no script');
  return page.replace(own, (_, entry: string) => `<script defer src="/${start}" data-entry="${entry}"></script>`);
}

/** @returns path of the script that starts a rendered page */
async function buildStartOfRendered(outDir: string): Promise<string> {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir,
      emptyOutDir: false,
      copyPublicDir: false,
      target: 'es2022',
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: 'src/wheel-pages/start-rendered.ts',
        output: { format: 'iife', entryFileNames: 'assets/start-rendered-[hash].js' },
      },
    },
  });
  const [bundle] = [built].flat() as { output: { fileName: string }[] }[];
  return bundle!.output[0]!.fileName;
}
