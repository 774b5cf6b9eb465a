import type { PreviewItem, PreviewRow, ToolPlan } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';

/** A row of `previews`. */
export interface StoredPreview {
  id: string;
  automation_id: string;
  user_id: string;
  account_key: string | null;
  session_id: string | null;
  /** Its visit; null where no page is opened. */
  run_id: string | null;
  /** Whose targets are shown; null when it failed before there was one. */
  plan: ToolPlan | null;
  state: PreviewRow['state'];
  reason: string | null;
  items: PreviewItem[];
  page_views: number;
  ends_at: Date | null;
  expires_at: Date | null;
  seen_at: Date | null;
  created_at: Date;
  finished_at: Date | null;
}

/** A visit of a preview that is not over. */
export type OpenPreview = StoredPreview & { account_key: string; session_id: string; run_id: string; plan: ToolPlan };

/** How a preview is stored at first. */
export type NewPreview = Omit<StoredPreview, 'page_views' | 'seen_at'>;

/** Inserts a preview. @returns the one that is open already, when another request has begun it meanwhile */
export async function insertPreview(db: Database, preview: NewPreview): Promise<StoredPreview> {
  const inserted = await rowOf<StoredPreview>(
    db,
    `insert into previews (id, automation_id, user_id, account_key, session_id, run_id, plan, state, reason, items, ends_at, expires_at, created_at,
       finished_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     on conflict (automation_id) where state in ('waiting', 'reading') do nothing returning *`,
    [
      preview.id,
      preview.automation_id,
      preview.user_id,
      preview.account_key,
      preview.session_id,
      preview.run_id,
      preview.plan && JSON.stringify(preview.plan),
      preview.state,
      preview.reason,
      JSON.stringify(preview.items),
      preview.ends_at,
      preview.expires_at,
      preview.created_at,
      preview.finished_at,
    ],
  );
  return inserted ?? (await newestPreview(db, preview.automation_id))!;
}

/** The newest preview of an automation; an open one is always the newest. */
export function newestPreview(db: Database, automationId: string): Promise<StoredPreview | undefined> {
  return rowOf<StoredPreview>(
    db,
    `select * from previews where automation_id = $1 order by finished_at is null desc, created_at desc, id limit 1`,
    [automationId],
  );
}

/** The open preview of a visit, locked; undefined when it is over or unknown. */
export function openPreviewOf(db: Database, runId: string): Promise<OpenPreview | undefined> {
  return rowOf<OpenPreview>(db, `select * from previews where run_id = $1 and state in ('waiting', 'reading') for update`, [runId]);
}

/** Ends open previews. */
export async function endPreview(
  db: Database,
  id: string,
  { state, reason }: { state: 'done' | 'failed'; reason: string | null },
  now: Date,
): Promise<void> {
  await db.query(`update previews set state = $2, reason = $3, finished_at = $4 where id = $1 and finished_at is null`, [
    id,
    state,
    reason,
    now,
  ]);
}

/** Ends previews whose visit no worker began in time, or went silent. */
export async function endSilentPreviews(db: Database, silenceMs: number, reason: string, now: Date): Promise<void> {
  await db.query(
    `update previews set state = 'failed', reason = $3, finished_at = $1
     where id in (select id from previews where (state = 'waiting' and expires_at < $1::timestamptz - interval '1 minute')
                     or (state = 'reading' and coalesce(seen_at, created_at) < $2)
                  order by id limit 200 for update skip locked)`,
    [now, new Date(now.getTime() - silenceMs), reason],
  );
}
