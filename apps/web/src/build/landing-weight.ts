import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** What a visitor's browser loads before the landing page reacts may weigh this much, compressed. */
export const landingLimitBytes = 100_000;

/** A built file, as far as its weight is concerned. */
export interface BuiltChunk {
  type: 'chunk';
  fileName: string;
  code: string;
  /** Files loaded with this one. */
  imports: readonly string[];
  isEntry: boolean;
  /** Source of a file that is loaded on demand. */
  facadeModuleId: string | null;
}
type Built = Readonly<Record<string, BuiltChunk | { type: 'asset' }>>;

/**
 * The files that the landing page stands on: the entry, the page itself, and all that these import.
 * @throws Error when there is no entry or no file of the page, so that a renamed page cannot slip past the limit.
 */
export function landingChunks(built: Built, page: RegExp): BuiltChunk[] {
  const chunks = Object.values(built).filter((file) => file.type === 'chunk');
  const roots = chunks.filter(({ isEntry, facadeModuleId }) => isEntry || (facadeModuleId !== null && page.test(facadeModuleId)));
  if (!roots.some(({ isEntry }) => isEntry) || roots.every(({ isEntry }) => isEntry)) throw new Error(`no entry, or no file of ${page}`);
  const found = new Set<BuiltChunk>();
  const visit = (chunk: BuiltChunk | undefined) => {
    if (!chunk || found.has(chunk)) return;
    found.add(chunk);
    for (const name of chunk.imports) visit(chunks.find(({ fileName }) => fileName === name));
  };
  roots.forEach(visit);
  return [...found];
}

export const compressedBytes = (chunks: readonly BuiltChunk[]) => chunks.reduce((sum, { code }) => sum + gzipSync(code).length, 0);

/** Ends the build when the landing page became too heavy, and says by which files. */
export function landingWeight(page: RegExp): Plugin {
  return {
    name: 'landing-weight',
    generateBundle(_options, bundle) {
      const chunks = landingChunks(bundle, page);
      const bytes = compressedBytes(chunks);
      const list = chunks.map((chunk) => `  ${chunk.fileName} ${compressedBytes([chunk])}`).join('\n');
      if (bytes > landingLimitBytes)
        this.error(`The landing page loads ${bytes} bytes of compressed JavaScript, more than ${landingLimitBytes}:\n${list}`);
      this.info(`The landing page loads ${bytes} bytes of compressed JavaScript in ${chunks.length} files.`);
    },
  };
}
