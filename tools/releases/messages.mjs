import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { loadSources } from '../load-sources.mjs';

export const definitionPattern = /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?export const (\w+) = define(?:Event|Job|Request)\(/g;

/** Files that define messages: those of libs/contracts, and those of a service whose messages no other service sees. */
export function definingFiles(root) {
  return globSync(['libs/contracts/src/**/*.ts', 'apps/*/src/**/*.ts'], { cwd: root })
    .filter((file) => !file.endsWith('.spec.ts') && readFileSync(path.join(root, file), 'utf8').search(definitionPattern) >= 0)
    .sort();
}

/**
 * The bodies of all messages of a tree. A request has two.
 * @returns {Promise<{ name: string, version: number, schema: import('zod').ZodType }[]>} by name: `event run.finished`, `request run.reserve`,
 * `answer run.reserve`
 */
export async function messageBodies(root) {
  const files = definingFiles(root);
  const modules = await loadSources(root, Object.fromEntries(files.map((file) => [file.replaceAll('/', '_'), file])));
  const definitions = new Set(
    Object.values(modules)
      .flatMap((module) => Object.values(module))
      .filter((value) => ['event', 'job', 'request'].includes(value?.kind) && typeof value.type === 'string'),
  );
  return [...definitions]
    .flatMap(({ kind, type, version, schema, request, reply }) =>
      kind === 'request'
        ? [
            { name: `request ${type}`, version, schema: request },
            { name: `answer ${type}`, version, schema: reply },
          ]
        : [{ name: `${kind} ${type}`, version, schema }],
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
