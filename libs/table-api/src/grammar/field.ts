import type { Scanner } from './scanner.js';

/** A step into a JSON value. The last step may convert to text (`->>`). */
export interface PathStep {
  arrow: '->' | '->>';
  key: string | number;
}

/** A column, or a path into a JSON column. */
export interface Field {
  column: string;
  path: PathStep[];
}

/** Maximum number of steps of a path. */
const maxPathLength = 5;

export function parsePath(scanner: Scanner): PathStep[] {
  const path: PathStep[] = [];
  for (;;) {
    const arrow = scanner.take('->>') ? '->>' : scanner.take('->') ? '->' : undefined;
    if (!arrow) return path;
    if (path.length === maxPathLength) throw scanner.fail(`expecting no more than ${maxPathLength} steps into a value`);
    const index = scanner.match(/-?\d+(?![\p{L}_])/u);
    path.push({ arrow, key: index === undefined ? scanner.name() : Number(index) });
  }
}

export function parseField(scanner: Scanner): Field {
  return { column: scanner.name(), path: parsePath(scanner) };
}

export function formatName(name: string): string {
  return /^[\p{L}\p{N}_$]+$/u.test(name) ? name : `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

export function formatField({ column, path }: Field): string {
  return formatName(column) + path.map(({ arrow, key }) => `${arrow}${typeof key === 'number' ? key : formatName(key)}`).join('');
}
