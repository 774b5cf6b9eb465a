import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const worthBytes = 1_024;

/** Puts a `.br` and a `.gz` beside every text file, which the gateway sends to whoever accepts them. */
export function compressedFiles(): Plugin {
  return {
    name: 'compressed-files',
    enforce: 'post',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        const source = file.type === 'chunk' ? file.code : file.source;
        if (!/\.(js|css|svg|json)$/.test(file.fileName) || source.length < worthBytes) continue;
        this.emitFile({
          type: 'asset',
          fileName: `${file.fileName}.br`,
          source: brotliCompressSync(source, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
        });
        this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gzipSync(source, { level: 9 }) });
      }
    },
  };
}
