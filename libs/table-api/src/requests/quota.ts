import type { Caller } from '@decola/service-kit';
import type { EntityManager } from 'typeorm';
import type { ColumnDefinition, Row, TableDefinition } from '../definition/definition.js';
import { refusedFor } from '../errors/errors.js';
import { run } from '../sql/run.js';
import { name, sql } from '../sql/sql.js';

const defaultMaxTextLength = 2_000;
const defaultMaxJsonBytes = 64 * 1024;

const figure = (value: number) => value.toLocaleString('pt-BR');
const inBytes = (bytes: number) =>
  bytes < 1024 * 1024 ? `${figure(Math.floor(bytes / 1024))} KB` : `${figure(Math.floor(bytes / (1024 * 1024)))} MB`;

/** @throws RestError P0001 for a value that is longer than its column allows */
export function requireLengths(table: TableDefinition, row: Row): void {
  for (const [column, value] of Object.entries(row)) {
    const definition = table.columns[column];
    if (definition && isTooLong(definition, value)) throw refusedFor(definition.tooLongMessage ?? tooLongText(column, definition));
  }
}

function isTooLong({ type, maxLength }: ColumnDefinition, value: unknown): boolean {
  if (value === null || value === undefined || typeof value === 'boolean') return false;
  if (type === 'text') {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const limit = maxLength ?? defaultMaxTextLength;
    // PostgreSQL counts code points. Counting them is slow, and not needed when there are few enough UTF-16 units.
    return text.length > limit && [...text].length > limit;
  }
  const json = JSON.stringify(value);
  const limit = maxLength ?? defaultMaxJsonBytes;
  return json.length * 3 > limit && Buffer.byteLength(json) > limit;
}

function tooLongText(column: string, { type, maxLength }: ColumnDefinition): string {
  return type === 'text'
    ? `O campo “${column}” pode ter no máximo ${figure(maxLength ?? defaultMaxTextLength)} caracteres.`
    : `O campo “${column}” pode ter no máximo ${inBytes(maxLength ?? defaultMaxJsonBytes)}.`;
}

/**
 * Runs a write of one person to one table within the person's quota. A lock makes concurrent requests of the person wait for each other.
 * @throws RestError P0001 when the write added rows and there are more than the quota allows
 */
export async function withinQuota<Result>(
  manager: EntityManager,
  table: TableDefinition,
  caller: Caller,
  work: () => Promise<Result>,
): Promise<Result> {
  const quota = table.quota?.(caller);
  if (!quota || caller.role !== 'authenticated') return work();
  await manager.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [`quota ${table.name} ${caller.userId}`]);
  const count = async () =>
    (await run<{ rows: number }>(manager, sql`select count(*)::int as rows from ${name(table.relation)} t where ${quota.rows}`))[0]?.rows ??
    0;
  const before = await count();
  const result = await work();
  const after = await count();
  if (after > before && after > quota.maxRows) throw refusedFor(quota.refusal);
  return result;
}
