import { type Database, rowsOf } from '../rows.js';

/** How long things are kept, in days. The ledger stays as long as the account is used: nobody is met twice. */
export const keptDays = {
  /** Ceilings look back one day. */
  account_pages: 2,
  /** Repeats count for 30 days. */
  account_stops: 60,
  /** Diaries hold names of other people. */
  run_diary: 180,
  runs: 180,
  /** Sessions that ended hold nothing but their dates. */
  instagram_sessions: 90,
} as const;

const conditions: Record<keyof typeof keptDays, string> = {
  account_pages: 'bucket < $1',
  account_stops: 'at < $1',
  run_diary: 'at < $1',
  runs: `finished_at < $1 and state in ('finished', 'abandoned')`,
  instagram_sessions: 'not is_active and ended_at < $1',
};

/** Deletes what has had its time, in small steps that hold nobody up. @returns rows that went */
export async function forgetOld(db: Database, now: Date, step = 5_000): Promise<number> {
  let gone = 0;
  for (const [table, days] of Object.entries(keptDays) as [keyof typeof keptDays, number][]) {
    const before = new Date(now.getTime() - days * 86_400_000);
    const rows = await rowsOf(
      db,
      `delete from ${table} where ctid in (select ctid from ${table} where ${conditions[table]} limit ${step}) returning 1`,
      [before],
    );
    gone += rows.length;
  }
  return gone;
}
