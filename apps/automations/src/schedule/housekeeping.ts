import { type Database, rowsOf } from '@decola/database';
import { addKeptIds } from '../keep-list/keep-list.js';
import { forgetProtection } from '../erasure/kept-protection.js';

const dayMs = 86_400_000;

/** How long rows are kept, in days. Ledger entries are kept as long as the account is used, so that nobody gets the same action twice. */
export const keptDays = {
  /** Ceilings count one day back. */
  account_pages: 2,
  /** Repetitions lengthen pauses for 30 days. */
  account_stops: 60,
  /** An unknown page counts for an hour. */
  site_sightings: 1,
  /** Tries count for a day. */
  session_check_tries: 1,
  /** Lists that were never found complete. */
  own_list_readings: 90,
  /** Diaries contain names of other people. */
  run_diary: 180,
  /** They show pages of other people, even though blurred. */
  run_pictures: 30,
  runs: 180,
  /** They show names of other people, and are out of date soon. */
  previews: 7,
  /** A year and a month, so that a month can be compared with the same one of the year before. */
  account_growth: 400,
  account_activity: 90,
  account_pauses: 90,
  /** Of an ended session only its dates are left. */
  instagram_sessions: 90,
} as const;

const isOld: Record<keyof typeof keptDays, string> = {
  account_pages: 'bucket < $1',
  account_stops: 'at < $1',
  site_sightings: 'at < $1',
  session_check_tries: 'at < $1',
  own_list_readings: 'started_at < $1',
  run_diary: 'at < $1',
  previews: 'created_at < $1',
  run_pictures: 'taken_at < $1',
  account_growth: 'seen_at < $1',
  account_activity: 'day < ($1::timestamptz)::date',
  account_pauses: 'began_at < $1 and (until < $1 or resolved_at is not null)',
  runs: `finished_at < $1 and state in ('finished', 'abandoned')`,
  instagram_sessions: 'not is_active and ended_at < $1',
};

/**
 * Deletes rows after their time.
 * @param limit rows of each table that one call deletes, so that locks are held shortly
 * @returns number of deleted rows
 */
export async function forgetOld(db: Database, now: Date, limit = 5_000): Promise<number> {
  let deleted = 0;
  for (const [table, days] of Object.entries(keptDays) as [keyof typeof keptDays, number][]) {
    const rows = await rowsOf(
      db,
      `delete from ${table} where ctid in (select ctid from ${table} where ${isOld[table]} limit ${limit}) returning 1`,
      [new Date(now.getTime() - days * dayMs)],
    );
    deleted += rows.length;
  }
  deleted += await forgetUnusedAccounts(db, now, limit);
  await addKeptIds(db, null);
  return deleted + (await forgetProtection(db, now, limit));
}

/** Deletes customers' accounts that have neither a session nor an automation any more, with their keep lists. */
async function forgetUnusedAccounts(db: Database, now: Date, limit: number): Promise<number> {
  const accounts = await rowsOf(
    db,
    `with gone as (delete from instagram_accounts where ctid in (select c.ctid from instagram_accounts c where c.created_at < $1
         and not exists (select 1 from instagram_sessions s where s.user_id = c.user_id and s.account_key = c.account_key)
         and not exists (select 1 from automations t where t.user_id = c.user_id and t.account_key = c.account_key) limit ${limit})
         returning user_id, account_key),
       kept as (delete from keep_list k using gone where k.user_id = gone.user_id and k.account_key = gone.account_key)
     select 1 from gone`,
    [new Date(now.getTime() - keptDays.instagram_sessions * dayMs)],
  );
  return accounts.length;
}
