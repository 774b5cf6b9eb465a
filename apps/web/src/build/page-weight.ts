import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Maximum compressed bytes of all style sheets and fonts. Every page loads all of them. */
export const stylesAndFontsLimit = 90_000;

/** Bytes of the headers of one file, as Lighthouse counts them of the gateway's answers. */
export const headerBytes = 530;

export interface PageBudget {
  /** Match the page's own modules, without the entry. */
  modules: readonly RegExp[];
  /** Maximum compressed bytes of scripts that the page may load before it is interactive. */
  scripts: number;
  /** Maximum bytes of these scripts as they travel, with the headers of every file. Default: no limit. */
  transferred?: number;
  /** Maximum compressed bytes of the style sheets that these scripts import; by default only the limit of all style sheets and fonts holds. */
  styles?: number;
}

/** The part of Rollup's output that is used here. */
export interface BuiltChunk {
  type: 'chunk';
  fileName: string;
  code: string;
  /** Names of the files that this chunk imports. */
  imports: readonly string[];
  isEntry: boolean;
  /** Source modules in the file. */
  moduleIds: readonly string[];
  /** What Vite knows of the chunk. */
  viteMetadata?: { importedCss: ReadonlySet<string> };
}
export interface BuiltAsset {
  type: 'asset';
  fileName: string;
  source: string | Uint8Array;
}
type Built = Readonly<Record<string, BuiltChunk | BuiltAsset>>;

/**
 * The chunks that a page loads: the entry, the page's own modules, and all that these import.
 * @throws Error when the entry or a module's chunk is missing, so that a renamed page cannot escape the limit.
 */
export function chunksOf(built: Built, modules: readonly RegExp[]): BuiltChunk[] {
  const chunks = Object.values(built).filter((file) => file.type === 'chunk');
  const roots = [
    chunks.find(({ isEntry }) => isEntry),
    ...modules.map((each) => chunks.find(({ moduleIds }) => moduleIds.some((id) => each.test(id)))),
  ];
  const missing = ['the entry', ...modules].filter((_, index) => !roots[index]);
  if (missing.length > 0) throw new Error(`no file of ${missing.join(', ')}`);
  const found = new Set<BuiltChunk>();
  const visit = (chunk: BuiltChunk | undefined) => {
    if (!chunk || found.has(chunk)) return;
    found.add(chunk);
    for (const name of chunk.imports) visit(chunks.find(({ fileName }) => fileName === name));
  };
  roots.forEach(visit);
  return [...found];
}

/** Bytes of the files' scripts with their headers. */
export const transferredBytes = (chunks: readonly BuiltChunk[]) => scriptBytes(chunks) + chunks.length * headerBytes;

export const scriptBytes = (chunks: readonly BuiltChunk[]) => chunks.reduce((sum, { code }) => sum + gzipSync(code).length, 0);

/** Compressed bytes of the style sheets that chunks import. */
export function styleBytes(built: Built, chunks: readonly BuiltChunk[]): number {
  const names = new Set(chunks.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]));
  return Object.values(built).reduce(
    (sum, file) => (file.type === 'asset' && names.has(file.fileName) ? sum + gzipSync(file.source).length : sum),
    0,
  );
}

/** Compressed bytes of all style sheets and fonts. Fonts are not compressed again, because WOFF is a compressed format. */
export function styleAndFontBytes(built: Built): number {
  return Object.values(built).reduce((sum, file) => {
    if (file.type !== 'asset') return sum;
    if (file.fileName.endsWith('.css')) return sum + gzipSync(file.source).length;
    return /\.woff2?$/.test(file.fileName) ? sum + Buffer.from(file.source).length : sum;
  }, 0);
}

/**
 * Fails the build when the scripts of a page, or the style sheets and fonts, exceed their limit. Logs the sizes.
 * @param pages the limits of each page, by its path
 */
export function pageWeight(pages: Readonly<Record<string, PageBudget>>): Plugin {
  return {
    name: 'page-weight',
    enforce: 'post',
    generateBundle(_options, bundle) {
      for (const [path, { modules, scripts, transferred = Infinity, styles = Infinity }] of Object.entries(pages)) {
        const chunks = chunksOf(bundle, modules);
        const bytes = scriptBytes(chunks);
        const list = chunks.map((chunk) => `  ${chunk.fileName} ${scriptBytes([chunk])}`).join('\n');
        if (bytes > scripts) this.error(`${path} loads ${bytes} bytes of compressed JavaScript, more than ${scripts}:\n${list}`);
        this.info(`${path} loads ${bytes} bytes of compressed JavaScript in ${chunks.length} files.`);
        const sent = transferredBytes(chunks);
        if (sent > transferred) this.error(`${path} loads ${sent} bytes of JavaScript with headers, more than ${transferred}:\n${list}`);
        if (transferred < Infinity) this.info(`${path} loads ${sent} bytes of JavaScript with headers.`);
        const styled = styleBytes(bundle, chunks);
        if (styled > styles) this.error(`${path} loads ${styled} bytes of compressed styles, more than ${styles}.`);
        if (styles < Infinity) this.info(`${path} loads ${styled} bytes of compressed styles.`);
      }
      const styled = styleAndFontBytes(bundle);
      if (styled > stylesAndFontsLimit)
        this.error(`Every page loads ${styled} bytes of compressed styles and fonts, more than ${stylesAndFontsLimit}.`);
      this.info(`Every page loads ${styled} bytes of compressed styles and fonts.`);
    },
  };
}
