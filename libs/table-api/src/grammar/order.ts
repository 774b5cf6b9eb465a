import { type Field, parseField } from './field.js';
import { Scanner } from './scanner.js';

export interface OrderTerm {
  field: Field;
  /** The embedded table when the rows are ordered by one of its columns (`table(column)`); only for to-one relations. */
  embed?: string;
  direction: 'asc' | 'desc';
  nulls?: 'first' | 'last';
}

/** Parses `order=a.desc.nullslast,b`. */
export function parseOrder(text: string): OrderTerm[] {
  const scanner = new Scanner(text, 'order');
  const terms: OrderTerm[] = [];
  do {
    let field = parseField(scanner);
    let embed: string | undefined;
    if (scanner.take('(')) {
      embed = field.column;
      field = parseField(scanner);
      scanner.expect(')');
    }
    const direction = scanner.take('.desc') ? 'desc' : (scanner.take('.asc'), 'asc');
    const nulls = scanner.take('.nullsfirst') ? 'first' : scanner.take('.nullslast') ? 'last' : undefined;
    terms.push({ field, direction, ...(embed === undefined ? {} : { embed }), ...(nulls === undefined ? {} : { nulls }) });
  } while (scanner.take(','));
  if (!scanner.isAtEnd) throw scanner.fail('expecting ",", ".asc", ".desc", ".nullsfirst" or ".nullslast"');
  return terms;
}
