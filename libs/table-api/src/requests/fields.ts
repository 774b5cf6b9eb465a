import { RestError, unknownColumn } from '../errors/errors.js';
import type { ColumnType, TableDefinition } from '../definition/definition.js';
import type { Field } from '../grammar/field.js';
import { requireComparable } from './codecs.js';
import { join, name, raw, type Sql, sql } from '../sql/sql.js';

/** Types that a client may cast to. Others are refused: casts to types such as `regclass` would reveal the database's catalogue. */
const castable = new Set([
  'text',
  'integer',
  'int',
  'int4',
  'int8',
  'bigint',
  'numeric',
  'float8',
  'double precision',
  'boolean',
  'bool',
  'date',
  'timestamp',
  'timestamptz',
  'time',
  'uuid',
  'json',
  'jsonb',
  'text[]',
]);

export function castOf(type: string): Sql {
  const normal = type.toLowerCase();
  if (!castable.has(normal)) throw new RestError(400, '42704', `type "${type}" does not exist`);
  return raw(normal);
}

/** A table with the columns that the caller may read, under an alias of the statement. */
export interface Scope {
  table: TableDefinition;
  alias: string;
  columns: readonly string[];
}

export function columnType(scope: Scope, column: string): ColumnType {
  const definition = scope.columns.includes(column) ? scope.table.columns[column] : undefined;
  if (!definition) throw unknownColumn(scope.table.name, column);
  return definition.type;
}

export function fieldSql(scope: Scope, field: Field): { expression: Sql; type: ColumnType } {
  const type = columnType(scope, field.column);
  const column = sql`${name(scope.alias)}.${name(field.column)}`;
  if (field.path.length === 0) return { expression: column, type };
  requireComparable(scope.table, field.column);
  const base = type === 'json' || type === 'jsonb' ? column : sql`to_jsonb(${column})`;
  const steps = field.path.map(({ arrow, key }) => sql`${raw(arrow)} ${typeof key === 'number' ? sql`${key}::int` : sql`${key}::text`}`);
  return { expression: sql`(${join([base, ...steps], ' ')})`, type: field.path.at(-1)?.arrow === '->>' ? 'text' : 'jsonb' };
}
