import type { Caller } from '@decola/service-kit';
import type { EntityManager } from 'typeorm';
import { noFacts, type Row, type TableDefinition, type WriteRule } from '../definition/definition.js';
import { rowRefused } from '../errors/errors.js';
import { run } from '../sql/run.js';
import { all, join, name, raw, type Sql, sql } from '../sql/sql.js';

/** A written row violates a unique constraint. It is not decided yet whether the caller may know of the other row. */
export class DuplicateKeyError extends Error {
  constructor(
    override readonly cause: unknown,
    /** The row that was to be written. */
    readonly row: Row,
  ) {
    super('duplicate key', { cause });
  }
}

interface Violation {
  code?: string;
  constraint?: string;
}

const violationOf = (error: unknown): Violation => (error as { driverError?: Violation } | null)?.driverError ?? (error as Violation) ?? {};

/**
 * Converts PostgreSQL's error of a write to what the caller may know. A foreign key fails when the referenced row does not exist; it is refused exactly like
 * a reference to a row that the caller cannot see, so that the response does not reveal which rows exist.
 */
export function writeErrorOf(error: unknown, row: Row, table: TableDefinition, caller: Caller): unknown {
  const { code } = violationOf(error);
  if (code === '23505') return new DuplicateKeyError(error, row);
  if (code === '23503') return rowRefused(caller.role === 'anon', table.name);
  return error;
}

/** Checks rows to be inserted, before any constraint is checked. @throws RestError 42501 when the caller may not write one of them */
export async function requireOwnership(
  manager: EntityManager,
  table: TableDefinition,
  rows: readonly Row[],
  rule: WriteRule,
  caller: Caller,
): Promise<void> {
  const refused = await run(
    manager,
    sql`select 1 from json_populate_recordset(null::${name(table.relation)}, ${JSON.stringify(rows)}::json) t
      where (${rule.precheck ?? rule.check}) is false limit 1`,
  );
  if (refused.length > 0) throw rowRefused(caller.role === 'anon', table.name);
}

/** Checks rows as they will be after an update. @throws RestError 42501 when the caller may not write one of them */
export async function requireOwnershipAfter(
  manager: EntityManager,
  table: TableDefinition,
  keys: readonly unknown[],
  patch: Row,
  rule: WriteRule,
  caller: Caller,
): Promise<void> {
  const keyType = raw(`${table.columns[table.primaryKey]?.type ?? 'text'}[]`);
  const refused = await run(
    manager,
    sql`select 1 from ${name(table.relation)} o cross join lateral json_populate_record(o, ${JSON.stringify(patch)}::json) t
      where o.${name(table.primaryKey)} = any(${keys}::${keyType}) and (${rule.precheck ?? rule.check}) is false limit 1`,
  );
  if (refused.length > 0) throw rowRefused(caller.role === 'anon', table.name);
}

const readableRows = (table: TableDefinition, caller: Caller): Sql => table.rules(caller, noFacts).select?.where ?? raw('false');

/** Whether the caller may read the existing row that has the same values in these columns. */
export async function isReadable(
  manager: EntityManager,
  table: TableDefinition,
  columns: readonly string[],
  row: Row,
  caller: Caller,
): Promise<boolean> {
  const same = all(columns.map((column) => sql`t.${name(column)} = r.${name(column)}`));
  const found = await run(
    manager,
    sql`select 1 from ${name(table.relation)} t, json_populate_record(null::${name(table.relation)}, ${JSON.stringify(row)}::json) r
      where ${same} and (${readableRows(table, caller)}) limit 1`,
  );
  return found.length > 0;
}

/**
 * Error for a write that violated a unique constraint; called after the rollback. It is PostgreSQL's own error when the caller may read the other row, or
 * when that row was part of the same request; when the row belongs to somebody else, it is the refusal of the row rule.
 */
export async function duplicateKeyErrorOf(
  manager: EntityManager,
  table: TableDefinition,
  duplicate: DuplicateKeyError,
  caller: Caller,
): Promise<unknown> {
  const { constraint } = violationOf(duplicate.cause);
  const keys = await run<{ key: string }>(
    manager,
    sql`select pg_get_indexdef(i.indexrelid, n, true) as key from pg_class c join pg_index i on i.indexrelid = c.oid
      cross join lateral generate_series(1, i.indnkeyatts) n
      where c.relname = ${constraint ?? ''} and i.indrelid = to_regclass(${quoted(table.relation)}) order by n`,
  );
  const refused = rowRefused(caller.role === 'anon', table.name);
  if (keys.length === 0) return refused;
  // The index's columns or expressions, as the catalogue defines them.
  const key = sql`array[${join(
    keys.map((each) => raw(`(${each.key})::text`)),
    ', ',
  )}]`;
  const relation = name(table.relation);
  const [found] = await run<{ there: boolean; readable: boolean }>(
    manager,
    sql`with mine as (select ${key} as key from json_populate_record(null::${relation}, ${JSON.stringify(duplicate.row)}::json))
      select exists (select 1 from ${relation} t, mine where ${key} = mine.key) as there,
        exists (select 1 from ${relation} t, mine where ${key} = mine.key and (${readableRows(table, caller)})) as readable`,
  );
  return found?.there && !found.readable ? refused : duplicate.cause;
}

const quoted = (relation: string) => `"${relation.replaceAll('"', '""')}"`;
