import { actionFacts, type RunAction } from '@decola/contracts';
import { type Database, rowOf, rowsOf } from '@decola/database';
import type { CeilingKind, Usage } from './ceilings.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Pages of lists and page views are counted in buckets of this width. */
export const pageBucketMs = 300_000;

/**
 * Loads what each account did within the last hour and the last 24 hours, over all customers and automations. A reservation counts at once;
 * a person who was skipped does not count.
 */
export async function usageOf(db: Database, accountKeys: readonly string[], now: Date): Promise<Map<string, Usage>> {
  const hourAgo = new Date(now.getTime() - hourMs);
  const dayAgo = new Date(now.getTime() - dayMs);
  const rows = await rowsOf<{ account_key: string; kind: RunAction | 'list-page' | 'page-view'; hour: number; day: number }>(
    db,
    `select account_key, action as kind, count(*) filter (where reserved_at > $2)::int as hour, count(*)::int as day
     from account_actions where account_key = any($1) and reserved_at > $3 and state <> 'skipped' group by 1, 2
     union all
     select p.account_key, c.kind, coalesce(sum(c.amount) filter (where p.bucket > $4), 0)::int, sum(c.amount)::int
     from account_pages p cross join lateral (values ('list-page', p.pages), ('page-view', p.views)) as c (kind, amount)
     where p.account_key = any($1) and p.bucket > $5 group by 1, 2`,
    // A bucket that began before the window may contain pages within it, so it counts.
    [accountKeys, hourAgo, dayAgo, new Date(hourAgo.getTime() - pageBucketMs), new Date(dayAgo.getTime() - pageBucketMs)],
  );
  const usage = new Map<string, Usage>();
  for (const { account_key, kind, hour, day } of rows) {
    const entry = usage.get(account_key) ?? { hour: {}, day: {} };
    const ceiling = ceilingOf(kind);
    entry.hour[ceiling] = (entry.hour[ceiling] ?? 0) + hour;
    entry.day[ceiling] = (entry.day[ceiling] ?? 0) + day;
    usage.set(account_key, entry);
  }
  return usage;
}

/** What an action or page counts towards; several actions may count towards one ceiling. An action that only a newer replica knows counts as itself. */
function ceilingOf(kind: RunAction | CeilingKind): CeilingKind {
  return kind in actionFacts ? actionFacts[kind as RunAction].ceiling : (kind as CeilingKind);
}

/** Adds pages of lists that an account read, and pages of the site that it opened. */
export async function addPages(
  db: Database,
  accountKey: string,
  { pages = 0, views = 0 }: { pages?: number; views?: number },
  at: Date,
): Promise<void> {
  if (pages <= 0 && views <= 0) return;
  const bucket = new Date(Math.floor(at.getTime() / pageBucketMs) * pageBucketMs);
  await db.query(
    `insert into account_pages (account_key, bucket, pages, views) values ($1, $2, $3, $4)
     on conflict (account_key, bucket) do update set pages = account_pages.pages + excluded.pages, views = account_pages.views + excluded.views`,
    [accountKey, bucket, pages, views],
  );
}

/** A run, or the visit of a preview, and how many pages of the site it opened so far. */
interface ViewedPages {
  runId: string;
  accountKey: string;
  pageViews: number;
}

/**
 * Adds the page views of a run. Every message of a run carries their total so far, and messages may overtake each other, so only what exceeds
 * the largest total yet is added. Views of an unknown run are not added.
 */
export const addRunViews = (db: Database, run: ViewedPages, at: Date): Promise<void> => addViews(db, 'runs', 'id', run, at);

/** The same for the visit of a preview. */
export const addPreviewViews = (db: Database, visit: ViewedPages, at: Date): Promise<void> => addViews(db, 'previews', 'run_id', visit, at);

async function addViews(
  db: Database,
  table: 'runs' | 'previews',
  key: 'id' | 'run_id',
  { runId, accountKey, pageViews }: ViewedPages,
  at: Date,
): Promise<void> {
  if (pageViews <= 0) return;
  const row = await rowOf<{ before: number }>(
    db,
    `with known as (select id, page_views from ${table} where ${key} = $1 and page_views < $2 for update)
     update ${table} r set page_views = $2 from known where r.id = known.id returning known.page_views as before`,
    [runId, pageViews],
  );
  if (row) await addPages(db, accountKey, { views: pageViews - row.before }, at);
}
