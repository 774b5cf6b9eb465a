import type { Database } from '@decola/database';

/** How long tombstones are kept: longer than a message can be retried or lie among the dead letters (`deadLetterMs`). */
const keptDays = 30;

/** Locks ids until the transaction ends, so that messages about them are handled one at a time. Sorts them, so that two callers cannot deadlock. */
export async function lockIds(db: Database, ids: readonly string[]): Promise<void> {
  for (const id of [...ids].sort()) await db.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [id]);
}

/** Records in the service's own table `gone (id, at)` that an entity or a person was deleted, so that messages that arrive later change nothing. */
export async function addTombstone(db: Database, id: string, now: Date): Promise<void> {
  await db.query('insert into gone (id, at) values ($1, $2) on conflict do nothing', [id, now]);
  await db.query(`delete from gone where at < $1::timestamptz - $2 * interval '1 day'`, [now, keptDays]);
}

/** Whether any of these ids was deleted. */
export async function hasTombstone(db: Database, ids: readonly string[]): Promise<boolean> {
  const found: unknown[] = await db.query('select 1 from gone where id = any($1::uuid[]) limit 1', [ids]);
  return found.length > 0;
}
