import { randomBytes } from 'node:crypto';
import {
  type BuiltAsset,
  type BuiltChunk,
  chunksOf,
  pageWeight,
  scriptBytes,
  styleAndFontBytes,
  styleBytes,
  stylesAndFontsLimit,
} from './page-weight';

const chunk = (fileName: string, rest: Partial<BuiltChunk> = {}): BuiltChunk => ({
  type: 'chunk',
  fileName,
  code: fileName,
  imports: [],
  isEntry: false,
  moduleIds: [],
  ...rest,
});

const scripts = 100_000;
const page = /pages\/landing\//;
const entry = chunk('index.js', { isEntry: true, imports: ['react.js'] });
const landing = chunk('landing.js', { moduleIds: ['/src/pages/landing/landing-page.tsx'], imports: ['icons.js', 'react.js'] });
const world = (...extra: (BuiltChunk | BuiltAsset)[]) =>
  Object.fromEntries(
    [
      entry,
      landing,
      chunk('react.js'),
      chunk('icons.js'),
      chunk('supabase.js'),
      chunk('app.js', { imports: ['supabase.js'] }),
      ...extra,
    ].map((each) => [each.fileName, each]),
  );
const asset = (fileName: string, bytes: number): BuiltAsset => ({ type: 'asset', fileName, source: randomBytes(bytes) });

function build(files: ReturnType<typeof world>, limits: { styles?: number } = {}) {
  const context = {
    info: () => undefined,
    error: (message: string) => {
      throw new Error(message);
    },
  };
  (
    pageWeight({ '/': { modules: [page], scripts, ...limits } }).generateBundle as (
      this: unknown,
      options: unknown,
      bundle: unknown,
    ) => void
  ).call(context, {}, files);
}

it('counts the entry, the page and all their imports once each, and nothing that is loaded later', () => {
  expect(chunksOf(world(), [page]).map(({ fileName }) => fileName)).toEqual(['index.js', 'react.js', 'landing.js', 'icons.js']);
});

it('throws when a page’s chunk is missing', () => {
  expect(() => chunksOf(world(), [page, /pages\/home\//])).toThrow('no file of /pages\\/home\\//');
});

it('fails the build above the limit of scripts only', () => {
  const heavy = (bytes: number) => world(chunk('react.js', { code: randomBytes(bytes).toString('base64') }));
  expect(() => build(heavy(scripts - 5_000))).not.toThrow();
  expect(() => build(heavy(scripts + 5_000))).toThrow(/react\.js/);
});

it('fails the build above the limit of styles and fonts only', () => {
  const files = (bytes: number) => world(asset('a.css', 1_000), asset('b.woff2', bytes), asset('photo.png', 500_000));
  expect(styleAndFontBytes(files(5_000))).toBeGreaterThan(6_000);
  expect(() => build(files(stylesAndFontsLimit - 5_000))).not.toThrow();
  expect(() => build(files(stylesAndFontsLimit))).toThrow('styles and fonts');
});

it('fails the build above the limit of a page’s own styles, without those of parts that are loaded later', () => {
  const files = world(
    chunk('landing.js', { moduleIds: ['/src/pages/landing/landing-page.tsx'], viteMetadata: { importedCss: new Set(['own.css']) } }),
    chunk('later.js', { viteMetadata: { importedCss: new Set(['later.css']) } }),
    asset('own.css', 1_000),
    asset('later.css', 30_000),
  );
  expect(styleBytes(files, chunksOf(files, [page]))).toBeLessThan(2_000);
  expect(() => build(files, { styles: 2_000 })).not.toThrow();
  expect(() => build(files, { styles: 500 })).toThrow('styles, more than 500');
});

it('measures compressed bytes', () => {
  expect(scriptBytes([chunk('same.js', { code: 'a'.repeat(50_000) })])).toBeLessThan(200);
});
