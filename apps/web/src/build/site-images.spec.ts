import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
const published = (file: string) => path.join(root, 'public', file);

/** Width and height of a PNG, from its header. */
function sizeOf(file: string): string {
  const header = readFileSync(published(file)).subarray(16, 24);
  return `${header.readUInt32BE(0)}x${header.readUInt32BE(4)}`;
}

it.each([
  ['preview.png', '1200x630'],
  ['apple-touch-icon.png', '180x180'],
  ['icon-192.png', '192x192'],
  ['icon-512.png', '512x512'],
  ['icon-maskable-512.png', '512x512'],
])('publishes %s with %s pixels, as the manifest and the preview’s metadata say', (file, size) => {
  expect(sizeOf(file)).toBe(size);
  expect(statSync(published(file)).size).toBeLessThan(300_000);
});

it('names only icons that are there, and a colour of the browser for each theme', () => {
  const page = readFileSync(path.join(root, 'index.html'), 'utf8');
  const icons = [...page.matchAll(/<link rel="(?:icon|apple-touch-icon)" href="\/([^"]+)"/g)].map(([, file]) => file!);
  expect(icons).toEqual(['favicon.ico', 'favicon.svg', 'apple-touch-icon.png']);
  for (const file of icons) expect(existsSync(published(file))).toBe(true);
  const tokens = readFileSync(path.join(root, 'src/styles/tokens.css'), 'utf8');
  const canvases = [...tokens.matchAll(/--canvas: (#\w+);/g)].map(([, colour]) => colour);
  const shown = [...page.matchAll(/name="theme-color" media="\(prefers-color-scheme: (?:light|dark)\)" content="(#\w+)"/g)].map(
    ([, colour]) => colour,
  );
  expect(shown).toEqual(canvases);
});
