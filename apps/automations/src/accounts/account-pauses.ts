import type { RunAction, StopClass } from '@decola/contracts';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Announcer } from '../automations/announcer.js';
import { type Database, rowOf, rowsOf } from '../rows.js';
import { effectOfStop, type PauseCause, pauseReason, repeatWindowMs } from './stops.js';

/** Causes that a new session ends. */
const sessionCauses = ['challenge', 'suspended', 'session_ended', 'wrong_account'] as const;

export interface StoppedRun {
  id: string;
  userId: string;
  accountKey: string;
  sessionId: string;
  kind: string;
}

interface PausedRow {
  id: string;
  user_id: string;
  pause_cause: string;
  pause_reason: string;
}

/** Why nothing of a customer's account may run now; null when it may. */
export interface AccountHold {
  cause: PauseCause;
  reason: string;
  until: Date | null;
}

/** Stops what must stop, says why, and lets it go on when the cause is over. */
@Injectable()
export class AccountPauses {
  constructor(private readonly announcer: Announcer) {}

  /**
   * Does what the network's objection asks for, once per run.
   * @returns until when runs of this kind wait because of us, when that is what it was
   */
  async apply(
    manager: EntityManager,
    run: StoppedRun,
    stop: StopClass,
    action: RunAction | null,
    now: Date,
  ): Promise<{ kindUntil: Date | null }> {
    const none = { kindUntil: null };
    if (effectOfStop(stop, 0).scope === 'none') return none;
    await manager.query(`select 1 from network_accounts where account_key = $1 for update`, [run.accountKey]);
    const before = await rowOf<{ repeats: number }>(
      manager,
      `select count(*)::int as repeats from account_stops where account_key = $1 and class = $2 and at > $3`,
      [run.accountKey, stop, new Date(now.getTime() - repeatWindowMs)],
    );
    const recorded = await rowsOf(
      manager,
      `insert into account_stops (account_key, class, run_id, action, at) values ($1, $2, $3, $4, $5) on conflict (run_id) do nothing returning id`,
      [run.accountKey, stop, run.id, action, now],
    );
    if (recorded.length === 0) return none;

    const effect = effectOfStop(stop, before?.repeats ?? 0);
    switch (effect.scope) {
      case 'account': {
        const until = new Date(now.getTime() + effect.untilMs);
        await manager.query(
          `update network_accounts set paused_cause = $2, paused_since = $3, paused_until = greatest(coalesce(paused_until, $4), $4),
             paused_resumes = $5, last_block_at = case when $6 then $3 else last_block_at end
           where account_key = $1`,
          [run.accountKey, stop, now, until, effect.resumes, effect.isBlock],
        );
        await this.switchOff(manager, `account_key = $6`, [run.accountKey], stop, now, until, effect.resumes);
        return none;
      }
      case 'session':
        await manager.query(`update network_accounts set session_needed_cause = $2, session_needed_since = $3 where account_key = $1`, [
          run.accountKey,
          stop,
          now,
        ]);
        await this.endSessions(manager, `account_key = $3`, [run.accountKey], stop, now);
        await this.switchOff(manager, `account_key = $6`, [run.accountKey], stop, now, null, false);
        return none;
      case 'own-session': {
        const ended = await this.endSessions(manager, `id = $3`, [run.sessionId], stop, now);
        // When the customer gave a new session meanwhile, the old one's end is no news.
        if (ended > 0)
          await this.switchOff(manager, `account_key = $6 and user_id = $7`, [run.accountKey, run.userId], stop, now, null, false);
        return none;
      }
      case 'action':
        if (action) await this.pauseAction(manager, run.accountKey, action, stop, effect.untilMs, now);
        return none;
      case 'kind': {
        const until = new Date(now.getTime() + effect.untilMs);
        await manager.query(
          `insert into kind_pauses (kind, cause, since, until) values ($1, $2, $3, $4)
           on conflict (kind) do update set cause = excluded.cause, until = greatest(kind_pauses.until, excluded.until)`,
          [run.kind, stop, now, until],
        );
        return { kindUntil: until };
      }
      case 'none':
        return none;
    }
  }

  /**
   * Rests one action of an account when its last two tries in a row left no proof: the network drops it without a word.
   */
  async checkSilentBlock(manager: EntityManager, accountKey: string, action: RunAction, now: Date): Promise<void> {
    const last = await rowsOf<{ state: string; settled_at: Date }>(
      manager,
      `select state, settled_at from account_actions where account_key = $1 and action = $2 and settled_at is not null and state <> 'skipped'
       order by settled_at desc limit 2`,
      [accountKey, action],
    );
    if (last.length < 2 || last.some(({ state }) => state !== 'not_confirmed')) return;
    const known = await rowOf(manager, `select 1 from account_action_pauses where account_key = $1 and action = $2 and until > $3`, [
      accountKey,
      action,
      now,
    ]);
    if (known) return;
    const effect = effectOfStop('silent_block', 0);
    if (effect.scope === 'action') await this.pauseAction(manager, accountKey, action, 'silent_block', effect.untilMs, now);
  }

  /** Switches one automation off for a cause of its own, such as a target that is gone. */
  async pauseAutomation(manager: EntityManager, automationId: string, cause: PauseCause, now: Date): Promise<void> {
    await this.switchOff(manager, `id = $6`, [automationId], cause, now, null, false);
  }

  /** Switches off what no longer fits the plan. */
  async pauseForPlan(manager: EntityManager, automationIds: readonly string[], now: Date): Promise<void> {
    if (automationIds.length === 0) return;
    const reason = pauseReason('plan', now, null);
    // Also those that the network paused: they must not come back by themselves.
    const rows = await rowsOf<PausedRow>(
      manager,
      `update automations set is_active = false, next_run_at = null, pause_cause = 'plan', pause_reason = $2, pause_since = $3,
         pause_until = null, pause_resumes = false
       where id = any($1) returning id, user_id, pause_cause, pause_reason`,
      [automationIds, reason, now],
    );
    await this.announcer.paused(manager, rows, now);
  }

  /** Lets automations go on; they are due at once. */
  async resume(manager: EntityManager, automationIds: readonly string[], now: Date): Promise<void> {
    if (automationIds.length === 0) return;
    await manager.query(
      `update automations set is_active = true, pause_cause = null, pause_reason = null, pause_since = null, pause_until = null,
         pause_resumes = false, hold_code = null, hold_reason = null, interruptions = 0,
         next_run_at = case when run_kind is null or completed_at is not null then null
           when exists (select 1 from extraction_progress p where p.automation_id = automations.id and p.awaits_verdict) then null
           else $2::timestamptz end
       where id = any($1) and not is_draft`,
      [automationIds, now],
    );
    await this.announcer.updated(manager, automationIds);
  }

  /** A new session of an account was given: what waited for it goes on. */
  async resumeAfterSession(manager: EntityManager, userId: string, accountKey: string, now: Date): Promise<void> {
    const waiting = await rowsOf<{ id: string }>(
      manager,
      `select id from automations where user_id = $1 and account_key = $2 and not is_active and pause_cause = any($3) for update`,
      [userId, accountKey, sessionCauses],
    );
    await this.resume(
      manager,
      waiting.map(({ id }) => id),
      now,
    );
  }

  /** Lets go on whatever's time has come. @returns how many automations went on */
  async resumeDue(manager: EntityManager, now: Date): Promise<number> {
    await manager.query(
      `update network_accounts set paused_cause = null, paused_since = null, paused_until = null where account_key in (
         select account_key from network_accounts where paused_until <= $1 for update skip locked)`,
      [now],
    );
    await manager.query(`delete from account_action_pauses where until <= $1`, [now]);
    await manager.query(`delete from kind_pauses where until <= $1`, [now]);
    const due = await rowsOf<{ id: string }>(
      manager,
      `select id from automations where pause_resumes and pause_until <= $1 and not is_active and not is_draft
       order by pause_until limit 500 for update skip locked`,
      [now],
    );
    await this.resume(
      manager,
      due.map(({ id }) => id),
      now,
    );
    return due.length;
  }

  /** What keeps a customer's account from running at all. */
  async holdOf(db: Database, accountKey: string, now: Date): Promise<AccountHold | null> {
    const account = await rowOf<{ paused_cause: PauseCause | null; paused_since: Date; paused_until: Date | null }>(
      db,
      `select paused_cause, paused_since, paused_until from network_accounts where account_key = $1 and paused_until > $2`,
      [accountKey, now],
    );
    if (!account?.paused_cause) return null;
    return {
      cause: account.paused_cause,
      reason: pauseReason(account.paused_cause, account.paused_since, account.paused_until),
      until: account.paused_until,
    };
  }

  private async pauseAction(
    manager: EntityManager,
    accountKey: string,
    action: RunAction,
    cause: StopClass,
    forMs: number,
    now: Date,
  ): Promise<void> {
    const until = new Date(now.getTime() + forMs);
    await manager.query(
      `insert into account_action_pauses (account_key, action, cause, since, until) values ($1, $2, $3, $4, $5)
       on conflict (account_key, action) do update set cause = excluded.cause, since = excluded.since, until = greatest(account_action_pauses.until, excluded.until)`,
      [accountKey, action, cause, now, until],
    );
    await this.switchOff(manager, `account_key = $6 and run_kind = $7`, [accountKey, action], cause, now, until, true);
  }

  /** @param condition over automations; its parameters begin at $6 */
  private async switchOff(
    manager: EntityManager,
    condition: string,
    parameters: readonly unknown[],
    cause: PauseCause,
    now: Date,
    until: Date | null,
    resumes: boolean,
  ): Promise<void> {
    const rows = await rowsOf<PausedRow>(
      manager,
      `update automations set is_active = false, next_run_at = null, pause_cause = $1, pause_reason = $2, pause_since = $3, pause_until = $4,
         pause_resumes = $5
       where id in (select id from automations where is_active and not is_draft and type <> 'prize-extractor' and (${condition}) order by id for update)
       returning id, user_id, pause_cause, pause_reason`,
      [cause, pauseReason(cause, now, until), now, until, resumes, ...parameters],
    );
    await this.announcer.paused(manager, rows, now);
  }

  /** @param condition over instagram_sessions; its parameters begin at $3 */
  private async endSessions(
    manager: EntityManager,
    condition: string,
    parameters: readonly unknown[],
    cause: StopClass,
    now: Date,
  ): Promise<number> {
    const ended = await rowsOf(
      manager,
      `update instagram_sessions set is_active = false, envelope = null, ended_at = $1, ended_cause = $2 where is_active and ${condition} returning id`,
      [now, cause, ...parameters],
    );
    return ended.length;
  }
}
