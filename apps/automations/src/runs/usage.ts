import { type Database, rowsOf } from '../rows.js';
import type { CeilingKind, Usage } from './ceilings.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Width of the buckets in which pages of lists are counted. */
export const pageBucketMs = 300_000;

/**
 * What each account did within the last hour and the last 24 hours, over all customers and automations. What was reserved
 * counts at once; what was passed over does not count.
 */
export async function usageOf(db: Database, accountKeys: readonly string[], now: Date): Promise<Map<string, Usage>> {
  const hourAgo = new Date(now.getTime() - hourMs);
  const dayAgo = new Date(now.getTime() - dayMs);
  const rows = await rowsOf<{ account_key: string; kind: CeilingKind; hour: number; day: number }>(
    db,
    `select account_key, action as kind, count(*) filter (where reserved_at > $2)::int as hour, count(*)::int as day
     from account_actions where account_key = any($1) and reserved_at > $3 and state <> 'skipped' group by 1, 2
     union all
     select account_key, 'list-page', coalesce(sum(pages) filter (where bucket > $4), 0)::int, sum(pages)::int
     from account_pages where account_key = any($1) and bucket > $5 group by 1`,
    // A bucket that began before the window may hold pages inside of it: it counts.
    [accountKeys, hourAgo, dayAgo, new Date(hourAgo.getTime() - pageBucketMs), new Date(dayAgo.getTime() - pageBucketMs)],
  );
  const usage = new Map<string, Usage>();
  for (const { account_key, kind, hour, day } of rows) {
    const entry = usage.get(account_key) ?? { hour: {}, day: {} };
    entry.hour[kind] = hour;
    entry.day[kind] = day;
    usage.set(account_key, entry);
  }
  return usage;
}

/** Counts pages of lists that an account read. */
export async function countPages(db: Database, accountKey: string, pages: number, at: Date): Promise<void> {
  if (pages <= 0) return;
  const bucket = new Date(Math.floor(at.getTime() / pageBucketMs) * pageBucketMs);
  await db.query(
    `insert into account_pages (account_key, bucket, pages) values ($1, $2, $3)
     on conflict (account_key, bucket) do update set pages = account_pages.pages + excluded.pages`,
    [accountKey, bucket, pages],
  );
}
