import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const minBytes = 1_024;

/**
 * Writes a `.br` and a `.gz` next to every text file, which the gateway serves to clients that accept them. Reads the files from disk,
 * since Vite still replaces placeholders before it writes them.
 */
export function compressedFiles(): Plugin {
  return {
    name: 'compressed-files',
    enforce: 'post',
    writeBundle({ dir = '' }, bundle) {
      for (const fileName of Object.keys(bundle)) {
        const file = path.join(dir, fileName);
        const source = readFileSync(file);
        if (!/\.(js|css|svg|json)$/.test(fileName) || source.length < minBytes) continue;
        writeFileSync(`${file}.br`, brotliCompressSync(source, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
        writeFileSync(`${file}.gz`, gzipSync(source, { level: 9 }));
      }
    },
  };
}
