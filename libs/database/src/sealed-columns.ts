import type { KeyRing, Sealer } from '@decola/service-kit';
import { EnvelopeMismatchError, MalformedEnvelopeError } from '@decola/service-kit';
import type { DataSource } from 'typeorm';
import { changedRows, rowsOf } from './rows.js';

/** A column that holds envelopes of a `Sealer`. */
export interface SealedColumn {
  table: string;
  /** Name of the column, or an expression over the table's row. */
  column: string;
  /** Condition of the rows that hold an envelope. Default: the column is not null. */
  where?: string;
  /** How its rows are sealed again; undefined where they are gone before an old key is. */
  reseal?: {
    /** Columns of the primary key in their order, with their types. */
    key: Readonly<Record<string, string>>;
    /** Further columns that `additionalData` needs. */
    bound?: readonly string[];
    /** What an envelope is bound to, from the columns as text. */
    additionalData: (row: Readonly<Record<string, string>>) => string;
  };
}

/** Rows of a column that were sealed with one key. */
export interface KeyUse {
  keyId: string;
  /** `table.column`. */
  place: string;
  rows: number;
}

const batchRows = 500;
/** The count reads whole tables. */
export const countTimeoutMs = 600_000;
/** A row that a running service has locked for longer is left to the next run. */
const lockTimeoutMs = 2_000;

const conditionOf = ({ column, where }: SealedColumn): string => where ?? `${column} is not null`;

/** How many rows of each column every key has sealed, whether or not a ring has the key. */
export async function keyUses(dataSource: DataSource, columns: readonly SealedColumn[]): Promise<KeyUse[]> {
  const uses: KeyUse[] = [];
  for (const sealed of columns) {
    const { table, column } = sealed;
    const rows = await dataSource.transaction(async (manager) => {
      await manager.query(`set local statement_timeout = ${countTimeoutMs}`);
      return rowsOf<{ key_id: string | null; total: string }>(
        manager,
        `select split_part(${column}, '.', 2) as key_id, count(*) as total from ${table} where ${conditionOf(sealed)} group by 1 order by 1`,
      );
    });
    for (const { key_id: keyId, total } of rows) uses.push({ keyId: keyId ?? '', place: `${table}.${column}`, rows: Number(total) });
  }
  return uses;
}

export interface ResealResult {
  /** Rows that have the active key now. */
  sealed: number;
  /** Rows that stay as they were: no key of the ring opens them. */
  unopened: number;
  /** Rows that a service changed or kept locked meanwhile: another run takes those that still need it. */
  skipped: number;
}

/**
 * Seals the rows of a column again that have another key of the ring than the active one. Services go on meanwhile: each row is written by a statement of
 * its own, and only while it holds what was opened, so no change of a service is lost. It can be interrupted at any moment and run again.
 */
export async function resealColumn(
  dataSource: DataSource,
  { table, column, ...sealed }: SealedColumn,
  { sealer, ring }: { sealer: Sealer; ring: KeyRing },
): Promise<ResealResult> {
  const result: ResealResult = { sealed: 0, unopened: 0, skipped: 0 };
  const { reseal } = sealed;
  const oldIds = [...ring.keys.keys()].filter((id) => id !== ring.activeId);
  if (!reseal || oldIds.length === 0) return result;
  const keyColumns = Object.entries(reseal.key);
  const names = keyColumns.map(([name]) => name);
  const read = [...names, ...(reseal.bound ?? [])].map((name) => `t.${name}::text as ${name}`).join(', ');
  const key = names.map((name) => `t.${name}`).join(', ');
  const typed = (first: number) => keyColumns.map(([, type], index) => `$${first + index}::${type}`).join(', ');
  let after: string[] | null = null;
  for (;;) {
    const rows: Record<string, string>[] = await rowsOf(
      dataSource.manager,
      `select ${read}, ${column} as envelope from ${table} t
       where ${conditionOf({ table, column, ...sealed })} and split_part(${column}, '.', 2) = any($1)
         ${after ? `and (${key}) > (${typed(2)})` : ''}
       order by ${key} limit ${batchRows}`,
      [oldIds, ...(after ?? [])],
    );
    for (const row of rows) {
      const envelope = row['envelope']!;
      const fresh = sealedAnew(sealer, envelope, reseal.additionalData(row));
      if (fresh === null) result.unopened += 1;
      else if (await replace(row, envelope, fresh)) result.sealed += 1;
      else result.skipped += 1;
    }
    const last = rows.at(-1);
    if (!last) return result;
    after = names.map((name) => last[name]!);
  }

  async function replace(row: Record<string, string>, envelope: string, fresh: string): Promise<boolean> {
    try {
      return await dataSource.transaction(async (manager) => {
        await manager.query(`set local lock_timeout = ${lockTimeoutMs}`);
        const changed = await changedRows(
          manager,
          `update ${table} t set ${column} = $1 where ${column} = $2 and (${key}) = (${typed(3)})`,
          [fresh, envelope, ...names.map((name) => row[name])],
        );
        return changed === 1;
      });
    } catch (error) {
      if ((error as { code?: unknown }).code === '55P03') return false; // lock_not_available
      throw error;
    }
  }
}

/** @returns null when the ring does not open the envelope */
function sealedAnew(sealer: Sealer, envelope: string, additionalData: string): string | null {
  try {
    return sealer.seal(sealer.open(envelope, additionalData), additionalData);
  } catch (error) {
    if (error instanceof EnvelopeMismatchError || error instanceof MalformedEnvelopeError) return null;
    throw error;
  }
}
