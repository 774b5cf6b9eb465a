import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const worthBytes = 1_024;

/**
 * Puts a `.br` and a `.gz` beside every text file, which the gateway sends to whoever accepts them. It takes the files as they were
 * written: before that Vite still replaces marks in them.
 */
export function compressedFiles(): Plugin {
  return {
    name: 'compressed-files',
    enforce: 'post',
    writeBundle({ dir = '' }, bundle) {
      for (const fileName of Object.keys(bundle)) {
        const file = path.join(dir, fileName);
        const source = readFileSync(file);
        if (!/\.(js|css|svg|json)$/.test(fileName) || source.length < worthBytes) continue;
        writeFileSync(`${file}.br`, brotliCompressSync(source, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
        writeFileSync(`${file}.gz`, gzipSync(source, { level: 9 }));
      }
    },
  };
}
