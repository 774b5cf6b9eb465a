import { randomUUID } from 'node:crypto';
import type { ColumnCodec, Row, TableDefinition } from '../definition/definition.js';
import { storedFormOnly } from '../errors/errors.js';
import { name, raw, type Sql, sql } from '../sql/sql.js';

/** Begins every stored value in the JSON that PostgreSQL makes. Nobody outside this process knows it, so no other value begins with it. */
const marker = `stored:${randomUUID()}:`;

/** @throws RestError 42501 for a column whose stored form says nothing of its values */
export function requireComparable(table: TableDefinition, column: string): void {
  if (table.columns[column]?.codec) throw storedFormOnly(table.name, column);
}

/** Marks stored values in an answer, and decodes them: PostgreSQL makes the JSON, and cannot decode them itself. */
export class StoredValues {
  private readonly codecs: ColumnCodec[] = [];

  /** The value of a column of the row `t` as `decode` finds it. */
  marked(column: string, codec: ColumnCodec): Sql {
    const prefix = `${marker}${this.codecs.push(codec) - 1}:`;
    // In hexadecimal, so that JSON escapes nothing of it.
    return sql`${prefix}::text || encode(convert_to(t.${name(codec.boundTo)}::text || ${raw(`E'\\n'`)} || t.${name(column)}, 'UTF8'), 'hex')`;
  }

  /** Replaces every marked value in a JSON text. */
  decode(json: string): string {
    if (this.codecs.length === 0) return json;
    return json.replaceAll(new RegExp(`"${marker}(\\d+):([0-9a-f]*)"`, 'g'), (_, index: string, hex: string) => {
      const text = Buffer.from(hex, 'hex').toString('utf8');
      const separator = text.indexOf('\n');
      return JSON.stringify(this.codecs[Number(index)]?.decode(text.slice(separator + 1), text.slice(0, separator)) ?? null);
    });
  }
}

export const hasCodecs = (table: TableDefinition): boolean => Object.values(table.columns).some(({ codec }) => codec !== undefined);

/**
 * A row as it is stored: with the encoded values of columns that have a codec.
 * @param before the stored row that the row changes. A value that stays is encoded again when the column changes that it is bound to.
 */
export function encoded(table: TableDefinition, row: Row, before?: Row): Row {
  const changed: Row = {};
  for (const [column, { codec }] of Object.entries(table.columns)) {
    if (!codec) continue;
    const bound = textOf(row[codec.boundTo] ?? before?.[codec.boundTo]) ?? '';
    const plain = column in row ? textOf(row[column]) : rebound(codec, textOf(before?.[column]), textOf(before?.[codec.boundTo]), bound);
    if (plain !== null) changed[column] = codec.encode(plain, bound);
  }
  return { ...row, ...changed };
}

/** The plain value that has to be encoded again; null when it stays as it is. */
function rebound(codec: ColumnCodec, stored: string | null, boundBefore: string | null, bound: string): string | null {
  return stored === null || boundBefore === null || boundBefore === bound ? null : codec.decode(stored, boundBefore);
}

/** As PostgreSQL reads the JSON value into a text column. */
const textOf = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value);
