import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * Bundles TypeScript of a tree into a temporary folder and imports it.
 * @param root folder of the tree, with its own node_modules
 * @param entries file below the root by name
 * @returns module by name
 */
export async function loadSources(root, entries) {
  const folder = mkdtempSync(path.join(root, 'node_modules/.sources-'));
  try {
    const bundle = await rolldown({
      input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, path.join(root, file)])),
      platform: 'node',
      tsconfig: path.join(root, 'tsconfig.base.json'),
      resolve: { conditionNames: ['@decola/source', 'import', 'node', 'default'] },
      external: (id) => !/^[./]/.test(id) && !path.isAbsolute(id) && !id.startsWith('@decola/') && !id.startsWith('@oxc-project/'),
    });
    await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js' });
    await bundle.close();
    const modules = {};
    for (const name of Object.keys(entries)) modules[name] = await import(pathToFileURL(path.join(folder, `${name}.js`)).href);
    return modules;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
