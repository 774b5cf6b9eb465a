import path from 'node:path';
import { build } from 'vite';

const conditions = ['@decola/source', 'module', 'node'];
const root = path.resolve(import.meta.dirname, '../..');

/**
 * Builds what the gateway renders pages with: one file that has React in it, so that the gateway needs neither React nor the web app's sources.
 * @param outDir a folder that is not public
 */
export async function buildServerModule({ input, outDir, fileName }: { input: string; outDir: string; fileName: string }): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    resolve: { conditions },
    ssr: { noExternal: true, resolve: { conditions } },
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    build: {
      ssr: input,
      outDir,
      emptyOutDir: false,
      copyPublicDir: false,
      target: 'node24',
      rolldownOptions: { output: { format: 'cjs', entryFileNames: fileName, codeSplitting: false } },
    },
  });
}
