import { type BrowserRun, browserRun, checksQueue, type PayloadOf, type runFinished, type StopClass } from '@decola/contracts';
import { rowOf, rowsOf } from '@decola/database';
import { Outbox } from '@decola/messaging';
import { CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { visitKeyOf } from '../accounts/account-key.js';
import { isContested, isProven, prove } from '../accounts/account-proof.js';
import { AccountStops } from '../accounts/account-stops.service.js';
import { perform } from '../automation-state/perform.js';
import type { AutomationsConfig } from '../config/config.js';
import { browserSettingsOf } from '../customers/customer-settings.js';
import { sessionCauses } from '../safety/stops.js';
import { instantText, pauseReason, sessionProgressTexts } from '../texts/texts.js';
import { activateResolved, claimHeld, eraseExpired } from './kept-sessions.js';
import { addTry, isTry, lockTries, removeTry, requireTryLeft } from './session-check-tries.js';

/** A sealed session as a visit needs it. */
export interface SealedSession {
  id: string;
  userId: string;
  accountKey: string;
  networkUserId: string;
  envelope: string;
}

/** A row of instagram_sessions whose visit is under way. */
export interface RunningVisit {
  id: string;
  check_run_id: string;
  check_ends_at: Date;
}

interface VisitedSession {
  id: string;
  user_id: string;
  account_key: string;
  is_held: boolean;
  check_attempts: number;
}

const visitedColumns = `id, user_id, account_key, is_active and (held_cause is not null or ${isContested}) as is_held, check_attempts`;

/** Stops that mean that the session itself cannot be used. */
const sessionRefused: ReadonlySet<StopClass> = new Set<StopClass>(sessionCauses);

const minuteMs = 60_000;
/** The visit of a held session may wait longer for a worker than a new session's, by this factor: no customer is watching. */
const heldWaitFactor = 5;
/** A held session that could not be checked is checked again after this time, which doubles up to the longest. */
const recheckMs = 10 * minuteMs;
const longestRecheckMs = 6 * 60 * minuteMs;

/**
 * Checks sessions by a visit: a browser opens the network once and sees whose session it is.
 *
 * A new session is visited at once, so that the customer learns in seconds whether it works. Runs of the account wait for the result, but
 * only for a while; without a result the first run shows whether the session is good. Held sessions wait until a visit found them good,
 * however long that takes: those that were given after a stop (`held_cause`), and those of an account that another customer has proven.
 */
@Injectable()
export class SessionChecks {
  constructor(
    private readonly outbox: Outbox,
    private readonly stops: AccountStops,
    @Inject(CONFIG) private readonly config: AutomationsConfig,
  ) {}

  /** Whether sessions are visited at all (`SESSION_CHECK_WAIT_MS`). */
  get isEnabled(): boolean {
    return this.config.SESSION_CHECK_WAIT_MS > 0;
  }

  /** Serialises pasted sessions of one customer, so that their tries are counted. Called before the account's row is locked. */
  async lockTries(manager: EntityManager, userId: string): Promise<void> {
    if (this.isEnabled) await lockTries(manager, userId);
  }

  /** @throws RestError P0001 when the customer has pasted too many sessions today that were not found good */
  async requireTryLeft(manager: EntityManager, userId: string, now: Date): Promise<void> {
    if (this.isEnabled) await requireTryLeft(manager, userId, now);
  }

  /** The running visit of this very session; null when there is none. */
  async runningVisitOf(
    manager: EntityManager,
    { userId, accountKey, fingerprint, isHeld }: { userId: string; accountKey: string; fingerprint: string; isHeld: boolean },
    now: Date,
  ): Promise<RunningVisit | null> {
    const found = await rowOf<RunningVisit>(
      manager,
      `select id, check_run_id, check_ends_at from instagram_sessions where user_id = $1 and account_key = $2 and fingerprint = $3 and is_active
         and check_state = 'checking' and check_ends_at > $4 and (held_cause is not null) = $5`,
      [userId, accountKey, fingerprint, now, isHeld],
    );
    return found ?? null;
  }

  /** Moves a running visit to another row that holds the same session: its result is stored there. */
  async moveVisit(manager: EntityManager, visit: RunningVisit, toSessionId: string): Promise<void> {
    if (visit.id !== toSessionId)
      await manager.query(
        `update instagram_sessions set check_state = 'unchecked', check_run_id = null, check_ends_at = null where id = $1`,
        [visit.id],
      );
    await manager.query(
      `update instagram_sessions set check_state = 'checking', check_run_id = $2, check_ends_at = $3, check_reason = null, checked_at = null,
         check_again_at = null where id = $1`,
      [toSessionId, visit.check_run_id, visit.check_ends_at],
    );
  }

  /**
   * Queues the visit of a session, in the transaction that stores it. Marks the session as unchecked when visits are switched off.
   * @param isPasted false when we check it again ourselves, which is not a try of the customer
   */
  async begin(manager: EntityManager, session: SealedSession, now: Date, { isHeld = false, isPasted = false } = {}): Promise<void> {
    const waitMs = this.config.SESSION_CHECK_WAIT_MS * (isHeld ? heldWaitFactor : 1);
    const runId = waitMs === 0 ? null : randomUUID();
    const endsAt = runId === null ? null : new Date(now.getTime() + waitMs);
    await manager.query(
      `update instagram_sessions set check_state = case when $2::uuid is null then 'unchecked' else 'checking' end, check_run_id = $2, check_ends_at = $3,
         check_reason = null, checked_at = null, check_again_at = null
       where id = $1`,
      [session.id, runId, endsAt],
    );
    if (runId === null || endsAt === null) return;
    if (isPasted) await addTry(manager, runId, session.userId, now);
    const isOwner = await isProven(manager, session.userId, session.accountKey);
    const job: BrowserRun = {
      runId,
      automationId: null,
      automationType: null,
      userId: session.userId,
      accountKey: isOwner ? session.accountKey : visitKeyOf(session.accountKey, session.userId),
      session: { envelope: session.envelope, sessionId: session.id, networkUserId: session.networkUserId },
      plan: { kind: 'check-session' },
      unsettled: [],
      pace: { actionGapMs: this.config.ACTION_GAP_MS, pageGapMs: this.config.PAGE_GAP_MS },
      browser: await browserSettingsOf(manager, session.userId),
      expiresAt: endsAt.toISOString(),
    };
    await this.outbox.enqueue(manager, browserRun, job, { id: runId, queue: checksQueue, subject: session.accountKey });
  }

  /**
   * Stores the result of a visit, and resumes or stops what waited for it.
   * @returns the account, whether the customer has proven it by now, and whether the session is good; null when the run was not a visit that is
   * still awaited
   */
  async finished(
    manager: EntityManager,
    event: PayloadOf<typeof runFinished>,
    now: Date,
  ): Promise<{ accountKey: string; isProven: boolean; isGood: boolean } | null> {
    const { stop } = event;
    // Every transaction locks the account's row before its sessions.
    await manager.query(
      `select 1 from network_accounts where account_key in (select account_key from instagram_sessions where check_run_id = $1) for update`,
      [event.runId],
    );
    const state = event.outcome === 'done' ? 'good' : stop && sessionRefused.has(stop.class) ? 'refused' : 'unchecked';
    const { timeZone } = await browserSettingsOf(manager, event.userId);
    const session = await rowOf<VisitedSession>(
      manager,
      `update instagram_sessions s set check_state = $2, check_reason = $3, checked_at = $4, check_ends_at = null
       where check_run_id = $1 and check_state = 'checking'
       returning ${visitedColumns}`,
      [event.runId, state, stop ? pauseReason(stop.class, now, null, { timeZone }) : null, now],
    );
    if (!session) return null;
    const { user_id: userId, account_key: accountKey } = session;
    if (state === 'good') {
      await removeTry(manager, event.runId);
      await prove(manager, userId, accountKey, now);
    }
    if (stop) {
      const isAwaited = await isTry(manager, event.runId);
      const visit = { id: event.runId, automationId: null, userId, accountKey, sessionId: session.id, kind: 'check-session', isAwaited };
      await this.stops.apply(manager, visit, stop, now);
    }
    if (session.is_held && state === 'good') await this.stops.resumeAfterSession(manager, userId, accountKey, now);
    if (session.is_held && state === 'unchecked') await this.scheduleRecheck(manager, [session], now);
    await perform(manager, 'due', { userId, accountKey, holdCodes: ['session_check'] }, { now });
    return { accountKey, isProven: await isProven(manager, userId, accountKey), isGood: state === 'good' };
  }

  /** Stops waiting for visits that no worker made in time. Held sessions are checked again later. */
  async abandonLateVisits(manager: EntityManager, now: Date): Promise<void> {
    const late = await rowsOf<VisitedSession>(
      manager,
      `update instagram_sessions s set check_state = 'unchecked', check_ends_at = null
       where id in (select id from instagram_sessions where check_state = 'checking' and check_ends_at <= $1 limit 500 for update skip locked)
       returning ${visitedColumns}`,
      [now],
    );
    await this.scheduleRecheck(
      manager,
      late.filter(({ is_held }) => is_held),
      now,
    );
  }

  /**
   * Queues the visits that are due: of sessions whose customers said an hour ago that they resolved the stop, and of held sessions that could
   * not be checked before. Erases kept sessions after their time.
   */
  async beginDueVisits(manager: EntityManager, now: Date): Promise<void> {
    await eraseExpired(manager, now);
    const resolved = await activateResolved(manager, now);
    const due = [...resolved, ...(await claimHeld(manager, now))];
    for (const { id, user_id: userId, account_key: accountKey, network_user_id: networkUserId, envelope } of due) {
      await this.begin(manager, { id, userId, accountKey, networkUserId, envelope }, now, { isHeld: true });
      // Without visits the session is used at once: the first run shows whether it is good.
      if (!this.isEnabled) await this.stops.resumeAfterSession(manager, userId, accountKey, now);
    }
  }

  private async scheduleRecheck(manager: EntityManager, sessions: readonly VisitedSession[], now: Date): Promise<void> {
    for (const { id, user_id: userId, check_attempts: attempts } of sessions) {
      const { timeZone } = await browserSettingsOf(manager, userId);
      const at = new Date(now.getTime() + Math.min(longestRecheckMs, recheckMs * 2 ** Math.min(attempts, 10)));
      await manager.query(
        `update instagram_sessions set check_again_at = $2, check_attempts = check_attempts + 1, check_reason = $3 where id = $1`,
        [id, at, sessionProgressTexts.notCheckedYet(instantText(at, timeZone))],
      );
    }
  }
}
