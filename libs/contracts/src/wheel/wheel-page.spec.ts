import { readFileSync } from 'node:fs';
import path from 'node:path';

const subpaths = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../package.json'), 'utf8')) as {
  exports: Record<string, string | object>;
};

/** Everything that a module loads, files and packages. Imports of types load nothing. */
function loadedBy(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const source = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  for (const [, name = ''] of source.matchAll(/^(?:import|export) (?!type )(?:[^'";]*? from )?'([^']+)'/gm)) {
    if (name.startsWith('.')) loadedBy(path.resolve(path.dirname(file), name.replace(/\.js$/, '.ts')), found);
    else found.add(name);
  }
  return found;
}

describe('what the public pages of a wheel load', () => {
  it.each(Object.entries(subpaths.exports).filter(([name]) => name.startsWith('./wheel-')))('%s has no schemas', (_, file) => {
    const loaded = [...loadedBy(path.resolve(import.meta.dirname, '../..', file as string))];
    expect(loaded.length).toBeGreaterThan(0);
    expect(loaded.filter((name) => !path.isAbsolute(name))).toEqual([]);
  });
});
