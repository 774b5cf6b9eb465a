import type { EntityManager } from 'typeorm';

type Database = Pick<EntityManager, 'query'>;

/** News of somebody gone may still be on its way this long; the ladder of retries is shorter. */
const keptDays = 30;

/** Makes all news about these ids wait for each other until the transaction ends. Always takes them in one order. */
export async function oneAtATime(db: Database, ids: readonly string[]): Promise<void> {
  for (const id of [...ids].sort()) await db.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [id]);
}

/** Remembers, in the service's own table `gone (id, at)`, that something or somebody is gone, so that late news change nothing. */
export async function markGone(db: Database, id: string, now: Date): Promise<void> {
  await db.query('insert into gone (id, at) values ($1, $2) on conflict do nothing', [id, now]);
  await db.query(`delete from gone where at < $1::timestamptz - $2 * interval '1 day'`, [now, keptDays]);
}

export async function isAnyGone(db: Database, ids: readonly string[]): Promise<boolean> {
  const found: unknown[] = await db.query('select 1 from gone where id = any($1::uuid[]) limit 1', [ids]);
  return found.length > 0;
}
