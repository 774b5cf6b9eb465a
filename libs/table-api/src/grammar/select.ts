import { parseError } from '../errors/errors.js';
import { type Field, parseField } from './field.js';
import { Scanner } from './scanner.js';

export type SelectItem =
  | { kind: 'all' }
  | { kind: 'field'; field: Field; alias?: string; cast?: string }
  | { kind: 'embed'; table: string; alias?: string; hint?: string; inner: boolean; spread: boolean; items: SelectItem[] };

/** Parses `select=`: columns, aliases, casts, JSON paths and embedded tables, to any depth. */
export function parseSelect(text: string): SelectItem[] {
  if (text.trim() === '') return [];
  const scanner = new Scanner(text, 'select parameter');
  const items = parseItems(scanner);
  if (!scanner.isAtEnd) throw scanner.fail('expecting "," or end of input');
  return items;
}

function parseItems(scanner: Scanner): SelectItem[] {
  const items: SelectItem[] = [];
  do {
    scanner.skipBlanks();
    items.push(parseItem(scanner));
    scanner.skipBlanks();
  } while (scanner.take(','));
  return items;
}

function parseItem(scanner: Scanner): SelectItem {
  if (scanner.take('*')) return { kind: 'all' };
  const spread = scanner.take('...');
  let field = parseField(scanner);
  let alias: string | undefined;
  if (scanner.peek(':') && !scanner.peek('::')) {
    if (spread || field.path.length > 0) throw scanner.fail('expecting "(" or ","');
    scanner.take(':');
    alias = field.column;
    field = parseField(scanner);
  }
  const hints: string[] = [];
  while (scanner.take('!')) hints.push(scanner.name());
  if (scanner.take('(')) {
    if (field.path.length > 0) throw scanner.fail('expecting field name');
    const empty = scanner.take(')');
    const items = empty ? [] : scanner.nested(() => parseItems(scanner));
    if (!empty) scanner.expect(')');
    const hint = hints.find((each) => each !== 'inner' && each !== 'left');
    return {
      kind: 'embed',
      table: field.column,
      ...(alias === undefined ? {} : { alias }),
      ...(hint === undefined ? {} : { hint }),
      inner: hints.includes('inner'),
      spread,
      items,
    };
  }
  if (spread || hints.length > 0) throw scanner.fail('expecting "("');
  let cast: string | undefined;
  if (scanner.take('::')) {
    cast = scanner.match(/[a-z_][a-z0-9_ ]*(\[\])?/i)?.trim();
    if (!cast) throw scanner.fail('expecting type name');
  }
  return { kind: 'field', field, ...(alias === undefined ? {} : { alias }), ...(cast === undefined ? {} : { cast }) };
}

/** Parses `columns=`: the keys of the body that are written; other keys are ignored. */
export function parseColumns(text: string): string[] {
  const scanner = new Scanner(text, 'columns parameter');
  const columns: string[] = [];
  do columns.push(scanner.name());
  while (scanner.take(','));
  if (!scanner.isAtEnd) throw parseError('columns parameter', text, 'expecting ","');
  return columns;
}
