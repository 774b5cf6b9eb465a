import type { BrowserRun } from '@decola/contracts';
import { type Database, rowsOf } from '@decola/database';
import type { CheckedPayload } from '@decola/messaging';
import { performEach } from '../automation-state/perform.js';
import type { HoldCode } from '../automation-state/state.js';
import type { Decision, DueAutomation } from './decide.js';

/** An automation that runs now. */
export interface DecidedRun {
  due: DueAutomation;
  decision: Extract<Decision, { kind: 'run' }>;
  /** The decision's job. */
  job: CheckedPayload<BrowserRun>;
}

/** Inserts runs in one statement. @returns those that were inserted; for the others another replica has just started a run of the account */
export async function insertRuns(db: Database, decided: readonly DecidedRun[], now: Date): Promise<DecidedRun[]> {
  if (decided.length === 0) return [];
  // All replicas insert in the same order, so that they cannot deadlock on the index of open runs.
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
    ends_at: job.endsAt ?? null,
  }));
  const inserted = await rowsOf<{ id: string }>(
    db,
    `insert into runs (id, automation_id, automation_type, user_id, account_key, session_id, kind, queue, plan, budget, queued_at, expires_at,
       ends_at)
     select id, automation_id, automation_type, user_id, account_key, session_id, kind, queue, plan, budget, $2, expires_at, ends_at
     from jsonb_to_recordset($1::jsonb) as r (id uuid, automation_id uuid, automation_type text, user_id uuid, account_key text, session_id uuid,
       kind text, queue text, plan jsonb, budget integer, expires_at timestamptz, ends_at timestamptz)
     on conflict (account_key) where state in ('queued', 'running') do nothing
     returning id`,
    [JSON.stringify(records), now],
  );
  const insertedIds = new Set(inserted.map(({ id }) => id));
  return ordered.filter(({ decision }) => insertedIds.has(decision.job.runId));
}

/** Sets the next run of dispatched automations, in one statement. */
export async function scheduleNextRuns(db: Database, runs: readonly DecidedRun[]): Promise<void> {
  await performEach(
    db,
    'dispatch',
    runs.map(({ due, decision }) => ({ id: due.id, next_run_at: decision.nextRunAt })),
  );
}

/** An automation that may not run yet. */
export interface HeldAutomation {
  id: string;
  until: Date;
  code: HoldCode;
  /** Sentence for the customer. */
  reason: string;
}

/** Postpones automations that may not run yet, in one statement. */
export async function storeHolds(db: Database, held: readonly HeldAutomation[]): Promise<void> {
  await performEach(
    db,
    'hold',
    held.map(({ id, until, code, reason }) => ({ id, until, code, reason })),
  );
}
