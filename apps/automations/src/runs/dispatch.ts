import type { AutomationType, UnsettledReservation } from '@decola/contracts';
import type { PauseCause } from '../accounts/stops.js';
import { type Database, rowsOf } from '../rows.js';
import type { Decision, DueAutomation, HoldCode, Rest, Surroundings } from './decide.js';
import type { RunKind } from './plan.js';
import { usageOf } from './usage.js';

interface DueRow {
  id: string;
  user_id: string;
  type: AutomationType;
  configuration: Record<string, unknown>;
  next_run_at: Date;
  account_key: string | null;
  run_kind: RunKind;
  run_count: number;
  next_is_interactive: boolean;
  remaining_budget: number | null;
  source_offset: number;
  session_id: string | null;
  envelope: string | null;
  network_user_id: string | null;
  check_ends_at: Date | null;
  session_cause: PauseCause | null;
  first_seen_at: Date | null;
  last_block_at: Date | null;
  paused_cause: PauseCause | null;
  paused_since: Date | null;
  paused_until: Date | null;
  extracted_data_id: string | null;
  cursor: string | null;
  pass: number;
  next_page: number;
}

/** Takes up to `limit` due automations that no other replica holds, oldest first, until the transaction ends. */
export async function claimDue(db: Database, limit: number, now: Date): Promise<DueAutomation[]> {
  const rows = await rowsOf<DueRow>(
    db,
    `with due as materialized (
       select id, user_id, type, configuration, next_run_at, account_key, run_kind, run_count, next_is_interactive, remaining_budget,
         source_offset
       from automations where is_active and next_run_at <= $1 order by next_run_at limit $2 for update skip locked)
     select t.*, s.id as session_id, s.envelope, s.network_user_id, s.check_ends_at,
       case when s.id is null then coalesce(a.session_needed_cause, (select e.ended_cause from instagram_sessions e
         where e.user_id = t.user_id and e.account_key = t.account_key and e.ended_cause in ('session_ended', 'wrong_account', 'challenge', 'suspended')
         order by e.ended_at desc limit 1)) end as session_cause,
       a.first_seen_at, a.last_block_at, a.paused_cause, a.paused_since, a.paused_until, p.extracted_data_id, p.cursor, p.pass, p.next_page
     from due t
     left join network_accounts a on a.account_key = t.account_key
     left join instagram_sessions s on s.user_id = t.user_id and s.account_key = t.account_key and s.is_active and s.envelope is not null
       and s.created_at > coalesce(a.session_needed_since, '-infinity')
     left join extraction_progress p on p.automation_id = t.id
     order by t.next_run_at, t.id`,
    [now, limit],
  );
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    type: row.type,
    configuration: row.configuration,
    dueAt: row.next_run_at,
    accountKey: row.account_key,
    kind: row.run_kind,
    runCount: row.run_count,
    isInteractive: row.next_is_interactive,
    remainingBudget: row.remaining_budget,
    session:
      row.session_id && row.envelope && row.network_user_id
        ? { id: row.session_id, envelope: row.envelope, networkUserId: row.network_user_id, checkEndsAt: row.check_ends_at }
        : null,
    sessionCause: row.session_cause,
    account: row.first_seen_at && {
      firstSeenAt: row.first_seen_at,
      lastBlockAt: row.last_block_at,
      pausedCause: row.paused_cause,
      pausedSince: row.paused_since,
      pausedUntil: row.paused_until,
    },
    progress: row.extracted_data_id
      ? { extractedDataId: row.extracted_data_id, cursor: row.cursor, pass: row.pass, nextPage: row.next_page }
      : null,
    sourceOffset: row.source_offset,
  }));
}

/** Looks at everything around a batch with a fixed number of queries, however large the batch is. */
export async function lookAround(
  db: Database,
  batch: readonly DueAutomation[],
  unfollowAfterDays: number,
  now: Date,
): Promise<Surroundings> {
  const keys = [...new Set(batch.flatMap(({ accountKey }) => accountKey ?? []))];
  const unfollowKeys = [
    ...new Set(batch.flatMap(({ kind, accountKey }) => (kind === 'unfollow' && accountKey !== null ? [accountKey] : []))),
  ];
  const usage = await usageOf(db, keys, now);
  const busy = await rowsOf<{ account_key: string }>(
    db,
    `select account_key from runs where account_key = any($1) and state in ('queued', 'running')`,
    [keys],
  );
  const unsettled = await rowsOf<{
    account_key: string;
    reservation_id: string;
    action: UnsettledReservation['action'];
    target_id: string;
    target_username: string;
  }>(
    db,
    `select l.account_key, l.id as reservation_id, l.action, l.target_id, l.target_username from account_actions l
     where l.account_key = any($1) and l.state = 'reserved'
       and not exists (select 1 from runs r where r.id = l.run_id and r.state in ('queued', 'running'))
     order by l.reserved_at`,
    [keys],
  );
  const unfollow = unfollowKeys.length === 0 ? [] : await ownFollows(db, unfollowKeys, unfollowAfterDays, now);
  const actionPauses = await rowsOf<{ account_key: string; action: string } & Rest>(
    db,
    `select account_key, action, cause, since, until from account_action_pauses where account_key = any($1) and until > $2`,
    [keys, now],
  );
  const kindPauses = await rowsOf<{ kind: string } & Rest>(db, `select kind, cause, since, until from kind_pauses where until > $1`, [now]);
  return {
    usage,
    busy: new Set(busy.map(({ account_key }) => account_key)),
    unsettled: grouped(unsettled, (row) => ({
      reservationId: row.reservation_id,
      action: row.action,
      targetId: row.target_id,
      username: row.target_username,
    })),
    unfollowTargets: grouped(unfollow, (row) => ({ targetId: row.target_id, username: row.target_username })),
    actionPauses: new Map(actionPauses.map((row) => [`${row.account_key} ${row.action}`, row])),
    kindPauses: new Map(kindPauses.map((row) => [row.kind, row])),
  };
}

/** People whom this product followed for these accounts, confirmed, long enough ago, not kept and not unfollowed yet; oldest first. */
function ownFollows(db: Database, accountKeys: readonly string[], afterDays: number, now: Date) {
  return rowsOf<{ account_key: string; target_id: string; target_username: string }>(
    db,
    `select k.account_key, f.target_id, f.target_username from unnest($1::text[]) as k (account_key)
     cross join lateral (
       select l.target_id, l.target_username, l.settled_at from account_actions l
       where l.account_key = k.account_key and l.action = 'follow' and l.state = 'confirmed'
         and l.settled_at <= $3::timestamptz - $2 * interval '1 day'
         and not exists (select 1 from account_actions u where u.account_key = l.account_key and u.action = 'unfollow' and u.target_id = l.target_id)
         and not exists (select 1 from keep_list p where p.account_key = l.account_key and p.target_id = l.target_id)
       order by l.settled_at, l.id limit 5) f
     order by k.account_key, f.settled_at`,
    [accountKeys, afterDays, now],
  );
}

function grouped<Row extends { account_key: string }, Item>(rows: readonly Row[], item: (row: Row) => Item): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const row of rows) {
    const group = groups.get(row.account_key);
    if (group) group.push(item(row));
    else groups.set(row.account_key, [item(row)]);
  }
  return groups;
}

export interface DecidedRun {
  due: DueAutomation;
  decision: Extract<Decision, { kind: 'run' }>;
}

/**
 * Inserts runs in one statement. @returns those that got their account; the others lost it to another replica in this moment.
 */
export async function insertRuns(db: Database, decided: readonly DecidedRun[], now: Date): Promise<DecidedRun[]> {
  if (decided.length === 0) return [];
  // One order for all replicas, so that two of them never wait for each other.
  const ordered = [...decided].sort((a, b) => (a.decision.job.accountKey < b.decision.job.accountKey ? -1 : 1));
  const records = ordered.map(({ due, decision: { job, queue, budget } }) => ({
    id: job.runId,
    automation_id: due.id,
    automation_type: due.type,
    user_id: due.userId,
    account_key: job.accountKey,
    session_id: job.session.sessionId,
    kind: due.kind,
    queue,
    plan: job.plan,
    budget,
    expires_at: job.expiresAt,
  }));
  const inserted = await rowsOf<{ id: string }>(
    db,
    `insert into runs (id, automation_id, automation_type, user_id, account_key, session_id, kind, queue, plan, budget, queued_at, expires_at)
     select id, automation_id, automation_type, user_id, account_key, session_id, kind, queue, plan, budget, $2, expires_at
     from jsonb_to_recordset($1::jsonb) as r (id uuid, automation_id uuid, automation_type text, user_id uuid, account_key text, session_id uuid,
       kind text, queue text, plan jsonb, budget integer, expires_at timestamptz)
     on conflict (account_key) where state in ('queued', 'running') do nothing
     returning id`,
    [JSON.stringify(records), now],
  );
  const won = new Set(inserted.map(({ id }) => id));
  return ordered.filter(({ decision }) => won.has(decision.job.runId));
}

/** Moves the dispatched on to their next run, in one statement. */
export async function moveOn(db: Database, runs: readonly DecidedRun[]): Promise<void> {
  if (runs.length === 0) return;
  await db.query(
    `update automations t set next_run_at = n.next_run_at, run_count = t.run_count + 1, next_is_interactive = false, remaining_budget = null,
       hold_code = null, hold_reason = null
     from unnest($1::uuid[], $2::timestamptz[]) as n (id, next_run_at) where t.id = n.id`,
    [runs.map(({ due }) => due.id), runs.map(({ decision }) => decision.nextRunAt)],
  );
}

/** Puts off what may not run now, with the reason, in one statement. */
export async function putOff(db: Database, held: readonly { id: string; until: Date; code: HoldCode; reason: string }[]): Promise<void> {
  if (held.length === 0) return;
  await db.query(
    `update automations t set next_run_at = h.until, hold_code = h.code, hold_reason = h.reason
     from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[]) as h (id, until, code, reason) where t.id = h.id`,
    [held.map(({ id }) => id), held.map(({ until }) => until), held.map(({ code }) => code), held.map(({ reason }) => reason)],
  );
}
