import {
  type AutomationType,
  type BrowserRun,
  interactiveRunsQueue,
  type LedgerTarget,
  nextOccurrence,
  type RunPlan,
  scheduledRunsQueue,
  type UnsettledReservation,
} from '@decola/contracts';
import { randomUUID } from 'node:crypto';
import { instantText, type PauseCause, pauseReason } from '../accounts/stops.js';
import { type Database, rowsOf } from '../rows.js';
import { type CeilingTable, reachedCeiling, roomFor, type Usage } from './ceilings.js';
import { ceilingKindOf, type ExtractionProgress, frequencyOf, planRun, type RunKind } from './plan.js';
import { type QuietHours, quietUntil } from './quiet-hours.js';
import { usageOf } from './usage.js';

export interface DispatchRules {
  ceilings: CeilingTable;
  quietHours: QuietHours;
  actionGapMs: { min: number; max: number };
  pageGapMs: { min: number; max: number };
  unfollowAfterDays: number;
  jobTtlMs: number;
}

/** A due automation with everything that a decision needs. */
export interface DueAutomation {
  id: string;
  userId: string;
  type: AutomationType;
  configuration: Record<string, unknown>;
  dueAt: Date;
  accountKey: string | null;
  kind: RunKind;
  runCount: number;
  isInteractive: boolean;
  remainingBudget: number | null;
  session: {
    id: string;
    envelope: string;
    networkUserId: string;
    /** Until when runs wait for the visit that checks it; null when they do not. */
    checkEndsAt: Date | null;
  } | null;
  /** Why there is no session that could be used; null when nobody knows more. */
  sessionCause: PauseCause | null;
  account: {
    firstSeenAt: Date;
    lastBlockAt: Date | null;
    pausedCause: PauseCause | null;
    pausedSince: Date | null;
    pausedUntil: Date | null;
  } | null;
  progress: ExtractionProgress | null;
}

/** What the accounts of a batch did, and what waits for them. */
export interface Surroundings {
  usage: ReadonlyMap<string, Usage>;
  busy: ReadonlySet<string>;
  unsettled: ReadonlyMap<string, readonly UnsettledReservation[]>;
  unfollowTargets: ReadonlyMap<string, readonly LedgerTarget[]>;
  actionPauses: ReadonlyMap<string, Rest>;
  kindPauses: ReadonlyMap<string, Rest>;
}

export interface Rest {
  cause: PauseCause;
  since: Date;
  until: Date;
}

export type HoldCode =
  'session_check' | 'account_busy' | 'account_paused' | 'action_paused' | 'kind_paused' | 'quiet_hours' | 'ceiling' | 'nobody_to_unfollow';

export type Decision =
  | { kind: 'run'; job: BrowserRun; queue: string; nextRunAt: Date | null; budget: number }
  | { kind: 'hold'; code: HoldCode; until: Date; reason: string }
  | { kind: 'pause'; cause: PauseCause };

const minuteMs = 60_000;
/** Each takes the worker a visit of a profile; the others' turn comes in the next run. */
const mostUnsettled = 20;
/** A busy account wakes its others when it is done; this is for the case that nobody wakes them. */
const busyRetryMs = 2 * minuteMs;
const ceilingRetryMs = { hour: 10 * minuteMs, day: 60 * minuteMs };

/** Decides what happens to one due automation at `now`. Pure: everything it needs is given. */
export function decide(due: DueAutomation, around: Surroundings, rules: DispatchRules, now: Date): Decision {
  const { accountKey, account, session } = due;
  const hold = (code: HoldCode, until: Date, reason: string): Decision => ({ kind: 'hold', code, until, reason });
  const later = (ms: number) => new Date(now.getTime() + ms);

  if (accountKey === null || account === null || session === null) return { kind: 'pause', cause: due.sessionCause ?? 'session_ended' };
  if (account.pausedCause && account.pausedSince && account.pausedUntil && account.pausedUntil > now) {
    return hold('account_paused', account.pausedUntil, pauseReason(account.pausedCause, account.pausedSince, account.pausedUntil));
  }
  if (session.checkEndsAt && session.checkEndsAt > now)
    return hold('session_check', session.checkEndsAt, 'Conferindo a sessão do Instagram. Continua logo em seguida.');
  const kindRest = around.kindPauses.get(due.kind);
  if (kindRest && kindRest.until > now)
    return hold('kind_paused', kindRest.until, pauseReason(kindRest.cause, kindRest.since, kindRest.until));
  const actionRest = around.actionPauses.get(`${accountKey} ${due.kind}`);
  if (actionRest && actionRest.until > now)
    return hold('action_paused', actionRest.until, pauseReason(actionRest.cause, actionRest.since, actionRest.until));
  // Who publishes at night is awake: the first run does not wait for the morning.
  const isFirst = due.isInteractive && due.runCount === 0;
  const quiet = isFirst ? null : quietUntil(rules.quietHours, now);
  if (quiet) return hold('quiet_hours', quiet, `Descanso noturno da conta. Continua em ${instantText(quiet)}.`);
  if (around.busy.has(accountKey))
    return hold('account_busy', later(busyRetryMs), 'Outra automação está usando esta conta agora. Continua logo em seguida.');

  const usage = around.usage.get(accountKey) ?? { hour: {}, day: {} };
  const ceilingKind = ceilingKindOf(due.kind);
  const room = roomFor(ceilingKind, rules.ceilings, account, usage, now);
  const unsettled = (around.unsettled.get(accountKey) ?? []).slice(0, mostUnsettled);
  if (room === 0 && (unsettled.length === 0 || due.remainingBudget === null)) {
    const reached = reachedCeiling(ceilingKind, rules.ceilings, account, usage, now);
    const until = later(ceilingRetryMs[reached?.period ?? 'hour']);
    return hold('ceiling', until, ceilingReason(due.kind, reached));
  }

  const unfollowTargets = (around.unfollowTargets.get(accountKey) ?? []).slice(0, 5);
  const plan = planRun({
    configuration: due.configuration,
    kind: due.kind,
    room,
    runNumber: due.runCount,
    remainingBudget: due.remainingBudget,
    progress: due.progress,
    unfollowTargets,
  });
  if (!plan) return { kind: 'pause', cause: due.configuration['method'] === 'slot' ? 'source_gone' : 'target_gone' };
  const frequency = frequencyOf(due.configuration);
  const nextRunAt = due.kind === 'extract-list' || !frequency ? null : nextOccurrence(frequency, due.dueAt, now);
  if (due.kind === 'unfollow' && unfollowTargets.length === 0 && unsettled.length === 0) {
    const days = rules.unfollowAfterDays;
    return hold(
      'nobody_to_unfollow',
      nextRunAt ?? later(60 * minuteMs),
      `Ninguém para deixar de seguir ainda: só desfazemos o que esta ferramenta seguiu há mais de ${days} ${days === 1 ? 'dia' : 'dias'}.`,
    );
  }

  const job: BrowserRun = {
    runId: randomUUID(),
    automationId: due.id,
    automationType: due.type,
    userId: due.userId,
    accountKey,
    session: { envelope: session.envelope, sessionId: session.id, networkUserId: session.networkUserId },
    plan,
    unsettled: [...unsettled],
    pace: { actionGapMs: rules.actionGapMs, pageGapMs: rules.pageGapMs },
    expiresAt: new Date(now.getTime() + rules.jobTtlMs).toISOString(),
  };
  const isInteractive = due.kind === 'extract-list' || due.isInteractive;
  return { kind: 'run', job, queue: isInteractive ? interactiveRunsQueue : scheduledRunsQueue, nextRunAt, budget: budgetOf(plan) };
}

function budgetOf(plan: RunPlan): number {
  if (plan.kind === 'extract-list') return plan.maxPages;
  return plan.kind === 'check-session' ? 0 : plan.budget;
}

const actionWords: Record<RunKind, string> = {
  follow: 'seguir',
  unfollow: 'deixar de seguir',
  'extract-list': 'páginas de lista',
};

function ceilingReason(kind: RunKind, reached: { period: 'hour' | 'day'; most: number } | null): string {
  const period = reached?.period === 'day' ? 'em 24 horas' : 'por hora';
  const what = kind === 'extract-list' ? `${reached?.most ?? 0} páginas de lista` : `${reached?.most ?? 0} vezes “${actionWords[kind]}”`;
  return `Limite de segurança da conta atingido: ${what} ${period}, somando todas as automações. Continua sozinha.`;
}

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
       select id, user_id, type, configuration, next_run_at, account_key, run_kind, run_count, next_is_interactive, remaining_budget
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
