import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Plugin, runnerImport } from 'vite';

const module = path.resolve(import.meta.dirname, '../app/prerendered.tsx');

/**
 * Writes the folder `prerendered`: for each page a copy of the built `index.html` with the page's markup, and `pages.json` with their file names by path
 * and query. The gateway sends these files, so that visitors see a page as soon as its style sheet has loaded.
 */
export function prerenderedPages(): Plugin {
  return {
    name: 'prerendered-pages',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const loaded = await runnerImport<{ prerendered: () => Record<string, string> }>(module, {
        configFile: false,
        logLevel: 'error',
        environments: { inline: { resolve: { conditions: ['@decola/source', 'module', 'node'], noExternal: [/^@decola\//] } } },
      });
      const built = readFileSync(path.join(dir, 'index.html'), 'utf8');
      const folder = path.join(dir, 'prerendered');
      mkdirSync(folder, { recursive: true });
      const files = Object.entries(loaded.module.prerendered()).map(([target, markup], index) => {
        const file = `${index}.html`;
        writeFileSync(
          path.join(folder, file),
          built.replace('<div id="root"></div>', () => `<div id="root">${markup}</div>`),
        );
        return [target, file];
      });
      writeFileSync(path.join(folder, 'pages.json'), JSON.stringify(Object.fromEntries(files), null, 2));
    },
  };
}
