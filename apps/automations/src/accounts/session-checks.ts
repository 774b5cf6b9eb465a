import { randomUUID } from 'node:crypto';
import { type BrowserRun, browserRun, interactiveRunsQueue, type PayloadOf, type runFinished, type StopClass } from '@decola/contracts';
import { Outbox } from '@decola/messaging';
import { CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AutomationsConfig } from '../config.js';
import { rowOf } from '../rows.js';
import { AccountPauses } from './account-pauses.js';
import { pauseReason } from './stops.js';

export interface NewSession {
  id: string;
  userId: string;
  accountKey: string;
  networkUserId: string;
  envelope: string;
}

/** Objections that mean that the session itself is of no use. */
const refusals: ReadonlySet<StopClass> = new Set<StopClass>(['challenge', 'suspended', 'session_ended', 'wrong_account']);

/**
 * Visits the network once with every new session, at once, so that the customer learns in seconds whether it works. Runs of the
 * account wait for the answer, though not for ever: without one, the first run finds out.
 */
@Injectable()
export class SessionChecks {
  constructor(
    private readonly outbox: Outbox,
    private readonly pauses: AccountPauses,
    @Inject(CONFIG) private readonly config: AutomationsConfig,
  ) {}

  /** Sends a worker to look; in the transaction that stores the session. */
  async begin(manager: EntityManager, session: NewSession, now: Date): Promise<void> {
    const waitMs = this.config.SESSION_CHECK_WAIT_MS;
    const runId = waitMs === 0 ? null : randomUUID();
    const endsAt = runId === null ? null : new Date(now.getTime() + waitMs);
    await manager.query(
      `update instagram_sessions set check_state = case when $2::uuid is null then 'unchecked' else 'checking' end, check_run_id = $2, check_ends_at = $3,
         check_reason = null, checked_at = null
       where id = $1`,
      [session.id, runId, endsAt],
    );
    if (runId === null || endsAt === null) return;
    const job: BrowserRun = {
      runId,
      automationId: null,
      automationType: null,
      userId: session.userId,
      accountKey: session.accountKey,
      session: { envelope: session.envelope, sessionId: session.id, networkUserId: session.networkUserId },
      plan: { kind: 'check-session' },
      unsettled: [],
      pace: { actionGapMs: this.config.ACTION_GAP_MS, pageGapMs: this.config.PAGE_GAP_MS },
      expiresAt: endsAt.toISOString(),
    };
    await this.outbox.enqueue(manager, browserRun, job, { id: runId, queue: interactiveRunsQueue, subject: session.accountKey });
  }

  /** Notes what the visit found, and lets go on or stops what waited for it. @returns false when it was no visit of ours */
  async finished(manager: EntityManager, event: PayloadOf<typeof runFinished>, now: Date): Promise<boolean> {
    const { stop } = event;
    const state = event.outcome === 'done' ? 'good' : stop && refusals.has(stop.class) ? 'refused' : 'unchecked';
    const session = await rowOf<{ id: string; user_id: string; account_key: string }>(
      manager,
      `update instagram_sessions set check_state = $2, check_reason = $3, checked_at = $4, check_ends_at = null
       where check_run_id = $1 and check_state = 'checking' returning id, user_id, account_key`,
      [event.runId, state, stop ? pauseReason(stop.class, now, null) : null, now],
    );
    if (!session) return false;
    if (stop) {
      const visit = {
        id: event.runId,
        userId: session.user_id,
        accountKey: session.account_key,
        sessionId: session.id,
        kind: 'check-session',
      };
      await this.pauses.apply(manager, visit, stop.class, null, now);
    }
    await manager.query(
      `update automations set next_run_at = $3, hold_code = null, hold_reason = null
       where user_id = $1 and account_key = $2 and hold_code = 'session_check' and is_active`,
      [session.user_id, session.account_key, now],
    );
    return true;
  }

  /** Visits that nobody made in time are not waited for any more. */
  async giveUpLate(manager: EntityManager, now: Date): Promise<void> {
    await manager.query(
      `update instagram_sessions set check_state = 'unchecked', check_ends_at = null
       where id in (select id from instagram_sessions where check_state = 'checking' and check_ends_at <= $1 limit 500 for update skip locked)`,
      [now],
    );
  }
}
