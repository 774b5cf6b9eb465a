import { randomBytes } from 'node:crypto';
import { type BuiltChunk, compressedBytes, landingChunks, landingLimitBytes, landingWeight } from './landing-weight';

const chunk = (fileName: string, rest: Partial<BuiltChunk> = {}): BuiltChunk => ({
  type: 'chunk',
  fileName,
  code: fileName,
  imports: [],
  isEntry: false,
  facadeModuleId: null,
  ...rest,
});

const page = /pages\/landing\//;
const entry = chunk('index.js', { isEntry: true, imports: ['react.js'] });
const landing = chunk('landing.js', { facadeModuleId: '/src/pages/landing/landing-page.tsx', imports: ['icons.js', 'react.js'] });
const world = (...extra: BuiltChunk[]) =>
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

it('counts the entry, the page and all they import, each once; nothing that is loaded later', () => {
  expect(landingChunks(world(), page).map(({ fileName }) => fileName)).toEqual(['index.js', 'react.js', 'landing.js', 'icons.js']);
});

it('refuses to measure when the page is not found', () => {
  expect(() => landingChunks(world(), /pages\/home\//)).toThrow('no file of');
});

it('ends the build above the limit, and only then', () => {
  const plugin = landingWeight(page);
  const build = (bytes: number) => {
    const context = {
      info: () => undefined,
      error: (message: string) => {
        throw new Error(message);
      },
    };
    const heavy = chunk('react.js', { code: randomBytes(bytes).toString('base64') });
    (plugin.generateBundle as (this: unknown, options: unknown, bundle: unknown) => void).call(context, {}, world(heavy));
  };
  expect(() => build(landingLimitBytes - 5_000)).not.toThrow();
  expect(() => build(landingLimitBytes + 5_000)).toThrow(/react\.js/);
});

it('measures what travels, not what lies on the disk', () => {
  expect(compressedBytes([chunk('same.js', { code: 'a'.repeat(50_000) })])).toBeLessThan(200);
});
