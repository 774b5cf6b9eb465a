import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const require = createRequire(import.meta.url);
const source = require.resolve('@fontsource-variable/mona-sans/files/mona-sans-latin-standard-normal.woff2');
const licence = require.resolve('@fontsource-variable/mona-sans/LICENSE');
const cut = path.resolve(import.meta.dirname, '../../../../node_modules/.cache/decola/decola-sans.woff2');

/** Printable ASCII, Latin-1, and what Portuguese, prices and our pages set beyond them. */
const characters = [...range(0x20, 0x7e), ...range(0xa0, 0xff)].join('') + 'ŒœŠšŸŽžˆ˜–—‘’‚“”„†‡•…‰‹›€™−→←↑↓×✓';

function range(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index));
}

/**
 * Provides a subset of the typeface with only Latin characters and the widths and weights that the pages use. The subset has its own name, because the
 * licence reserves the original's name for the unmodified font. It is made when a build or the development server starts, and cached in the folder of the
 * packages. Style sheets import it as `@font/decola-sans.woff2`, the page preloads it, and its licence is published with it.
 */
export function typeface(): Plugin {
  return {
    name: 'decola:typeface',
    async config() {
      await makeCut();
      return { resolve: { alias: { '@font': path.dirname(cut) } } };
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'assets/OFL.txt', source: readFileSync(licence) });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const file = Object.keys(bundle ?? {}).find((name) => /decola-sans.*\.woff2$/.test(name));
        if (!file) return [];
        return [
          {
            tag: 'link',
            attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: '' },
            injectTo: 'head-prepend',
          },
        ];
      },
    },
  };
}

async function makeCut(): Promise<void> {
  const made = statSync(cut, { throwIfNoEntry: false });
  const newest = Math.max(...[source, import.meta.filename].map((file) => statSync(file).mtimeMs));
  if (made && made.mtimeMs > newest) return;
  mkdirSync(path.dirname(cut), { recursive: true });
  const font = await subsetFont(readFileSync(source), characters, {
    targetFormat: 'woff2',
    variationAxes: { wght: { min: 400, max: 720 }, wdth: { min: 100, max: 112 } },
  });
  writeFileSync(cut, font);
}
