import type { RunAction, StopClass, StopSignal } from '@decola/contracts';
import { rowOf, rowsOf } from '@decola/database';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { AutomationPauses } from '../automation-state/automation-pauses.service.js';
import { CustomerNotices } from '../notices/customer-notices.service.js';
import { effectOfStop, ownerCauses, repeatWindowMs, sessionCauses, type StopEffect } from '../safety/stops.js';
import { kindsDoing } from '../tools/registry.js';
import { isAnyPaused, kindPauseOf, listsPause, pauseAccount, pauseAction } from './account-pauses.js';
import { isProven } from './account-proof.js';
import { reportUnknownPage } from './kind-pauses.js';
import { endSession, endStop, stopSessions } from './session-stops.js';

/** A run, or the visit that checks a session, that met a stop signal. */
export interface StoppedRun {
  id: string;
  /** Null for a visit. */
  automationId: string | null;
  userId: string;
  accountKey: string;
  sessionId: string;
  kind: string;
  /** A visit of the session that the customer has just given: they read on the page how it ends. */
  isAwaited?: boolean;
}

/** What a stop means for the automation of the stopped run, in addition to the pauses. */
export interface StopOutcome {
  /** End of the pause of this kind of run, for the account or for everybody; null when there is none. */
  restUntil: Date | null;
  /** When to try again after trouble of our own; null otherwise. */
  retryAt: Date | null;
}

const noOutcome: StopOutcome = { restUntil: null, retryAt: null };
/** Longest duration of a block that is accepted from the network. If the block lasts longer, the next run meets it again. */
const longestNamedBlockMs = 60 * 24 * 3_600_000;

/** Carries out what a stop signal of the network leads to (`safety/stops.ts`), and ends it. */
@Injectable()
export class AccountStops {
  constructor(
    private readonly pauses: AutomationPauses,
    private readonly notices: CustomerNotices,
  ) {}

  /**
   * Idempotent per run. A block lasts until the end that the network named (`expiresAt` of the evidence, ISO 8601) when that is later than
   * ours.
   */
  async apply(manager: EntityManager, run: StoppedRun, signal: StopSignal, now: Date): Promise<StopOutcome> {
    const { class: stop } = signal;
    const first = effectOfStop(stop, 0);
    if (first.scope === 'none') return noOutcome;
    // Our own trouble leaves no trace on the account.
    if (first.scope === 'retry') return { ...noOutcome, retryAt: new Date(now.getTime() + first.afterMs) };
    await manager.query(`select 1 from network_accounts where account_key = $1 for update`, [run.accountKey]);
    if (!(await isProven(manager, run.userId, run.accountKey))) return this.applyToCustomer(manager, run, signal, first, now);
    const repeats = await this.record(manager, run, signal, now);
    return repeats === null ? noOutcome : this.applyToAccount(manager, run, signal, effectOfStop(stop, repeats), now);
  }

  /** Protects the account of a customer who was erased meanwhile. Stores nothing that leads to anybody. */
  async applyToErasedCustomer(manager: EntityManager, accountKey: string, signal: StopSignal, now: Date): Promise<void> {
    const { scope } = effectOfStop(signal.class, 0);
    if (scope !== 'account' && scope !== 'session' && scope !== 'action' && scope !== 'lists') return;
    const known = await rowOf(manager, `select 1 from network_accounts where account_key = $1`, [accountKey]);
    if (!known) return;
    const nobody = { id: randomUUID(), automationId: null, userId: randomUUID(), accountKey, sessionId: randomUUID(), kind: '' };
    await this.apply(manager, nobody, signal, now);
  }

  /**
   * Pauses an action of the account when its last two tries were refused or had no proof: the network says no, or drops the action silently.
   * Tries that were only looked at later (`looks > 0`), because their worker died, do not count.
   */
  async pauseAfterRefusals(manager: EntityManager, accountKey: string, action: RunAction, now: Date): Promise<void> {
    const last = await rowsOf<{ state: string }>(
      manager,
      `select state from account_actions where account_key = $1 and action = $2 and settled_at is not null and state <> 'skipped' and looks = 0
       order by settled_at desc limit 2`,
      [accountKey, action],
    );
    if (last.length < 2 || last.some(({ state }) => state !== 'not_confirmed' && state !== 'refused')) return;
    if (await isAnyPaused(manager, accountKey, [action], now)) return;
    const cause = last.some(({ state }) => state === 'refused') ? 'refused' : 'silent_block';
    const effect = effectOfStop(cause, 0);
    if (effect.scope === 'action') await this.pauseActionOfAccount(manager, accountKey, action, cause, after(effect.untilMs, now), now);
  }

  /**
   * Stops the account when two different people in a row were said to review their followers by hand: the network words a block of the
   * account in the same way.
   */
  async stopAfterReviews(manager: EntityManager, run: StoppedRun, action: RunAction, now: Date): Promise<void> {
    const last = await rowsOf<{ skip_reason: string | null }>(
      manager,
      `select skip_reason from account_actions where account_key = $1 and action = $2 and settled_at is not null
         and (state <> 'skipped' or skip_reason = 'target_reviewed')
       order by settled_at desc limit 2`,
      [run.accountKey, action],
    );
    if (last.length === 2 && last.every(({ skip_reason }) => skip_reason === 'target_reviewed'))
      await this.apply(manager, run, { class: 'action_blocked', row: 1, action, evidence: { reviewsInRow: 2 } }, now);
  }

  /** Ends the stop that waited for a session, and resumes this customer's automations of the account. */
  async resumeAfterSession(manager: EntityManager, userId: string, accountKey: string, now: Date): Promise<void> {
    await endStop(manager, userId, accountKey, now);
    await this.pauses.resumePausedFor(manager, { userId, accountKey }, sessionCauses, now);
  }

  /** @returns how often the account met this class of stop recently, or null when this run's stop was recorded before */
  private async record(manager: EntityManager, run: StoppedRun, { class: stop, action }: StopSignal, now: Date): Promise<number | null> {
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
    return recorded.length === 0 ? null : (before?.repeats ?? 0);
  }

  private async applyToAccount(
    manager: EntityManager,
    run: StoppedRun,
    signal: StopSignal,
    effect: StopEffect,
    now: Date,
  ): Promise<StopOutcome> {
    const { class: stop, action } = signal;
    const { accountKey, userId } = run;
    switch (effect.scope) {
      case 'account': {
        const until = laterOf(after(effect.untilMs, now), endNamedByNetwork(signal, now));
        await this.notices.duringStop(manager, { accountKey, stop, until }, now, async () => {
          await pauseAccount(manager, accountKey, { cause: stop, until, resumes: effect.resumes, isBlock: effect.isBlock }, now);
          await this.pauses.pause(manager, { accountKey }, { cause: stop, until, resumes: effect.resumes }, now);
        });
        return noOutcome;
      }
      case 'session':
        await this.notices.duringStop(manager, { accountKey, stop, until: null }, now, async () => {
          await stopSessions(manager, accountKey, stop, now);
          await this.pauses.pause(manager, { accountKey }, { cause: stop, until: null, resumes: false }, now);
          await this.pauses.replaceCause(manager, { accountKey }, ownerCauses, stop, now);
        });
        return noOutcome;
      case 'own-session':
        await this.stopOwnSession(manager, run, stop, now);
        return noOutcome;
      case 'action':
        if (action) await this.pauseActionOfAccount(manager, accountKey, action, stop, after(effect.untilMs, now), now);
        return noOutcome;
      case 'lists': {
        const until = after(effect.untilMs, now);
        await pauseAction(manager, accountKey, listsPause, stop, until, now);
        await this.pauses.pause(manager, { accountKey, readsLists: true }, { cause: stop, until, resumes: true }, now);
        return noOutcome;
      }
      case 'kind': {
        const until = after(effect.untilMs, now);
        await pauseAction(manager, accountKey, kindPauseOf(run.kind), stop, until, now);
        await reportUnknownPage(manager, { kind: run.kind, accountKey, userId, signal }, until, now);
        return { ...noOutcome, restUntil: until };
      }
      case 'automation':
        await this.pauseOwnAutomation(manager, run, stop, now);
        return noOutcome;
      case 'retry':
      case 'none':
        return noOutcome;
    }
  }

  /** For a customer who has not proven the account: the session may be forged, so the stop concerns this customer alone. */
  private async applyToCustomer(
    manager: EntityManager,
    run: StoppedRun,
    { class: stop, action }: StopSignal,
    effect: StopEffect,
    now: Date,
  ): Promise<StopOutcome> {
    const own = { accountKey: run.accountKey, userId: run.userId };
    switch (effect.scope) {
      case 'session':
        await this.notices.duringStop(manager, { ...own, stop, until: null }, now, async () => {
          await stopSessions(manager, run.accountKey, stop, now, run.userId);
          await this.pauses.pause(manager, own, { cause: stop, until: null, resumes: false }, now);
          await this.pauses.replaceCause(manager, own, ownerCauses, stop, now);
        });
        return noOutcome;
      case 'own-session':
        await this.stopOwnSession(manager, run, stop, now);
        return noOutcome;
      case 'account': {
        const until = after(effect.untilMs, now);
        await this.notices.duringStop(manager, { ...own, stop, until }, now, () =>
          this.pauses.pause(manager, own, { cause: stop, until, resumes: effect.resumes }, now),
        );
        return noOutcome;
      }
      case 'action':
        await this.pauses.pause(
          manager,
          { ...own, runKinds: action === null ? [run.kind] : kindsDoing(action) },
          { cause: stop, until: after(effect.untilMs, now), resumes: true },
          now,
        );
        return noOutcome;
      case 'lists':
        await this.pauses.pause(
          manager,
          { ...own, readsLists: true },
          { cause: stop, until: after(effect.untilMs, now), resumes: true },
          now,
        );
        return noOutcome;
      case 'kind':
        return { ...noOutcome, restUntil: after(effect.untilMs, now) };
      case 'automation':
        await this.pauseOwnAutomation(manager, run, stop, now);
        return noOutcome;
      case 'retry':
      case 'none':
        return noOutcome;
    }
  }

  private async stopOwnSession(manager: EntityManager, run: StoppedRun, stop: StopClass, now: Date): Promise<void> {
    const own = { accountKey: run.accountKey, userId: run.userId };
    await this.notices.duringStop(manager, { ...own, stop, until: null }, now, async () => {
      // When the customer has given a new session meanwhile, the end of the old one changes nothing.
      if (!(await endSession(manager, run.sessionId, stop, now))) return false;
      await this.pauses.pause(manager, own, { cause: stop, until: null, resumes: false }, now);
      await this.pauses.replaceCause(manager, own, sessionCauses, stop, now);
      return !run.isAwaited;
    });
  }

  private async pauseOwnAutomation(manager: EntityManager, run: StoppedRun, stop: StopClass, now: Date): Promise<void> {
    if (run.automationId !== null) await this.pauses.pauseUntilCustomerActs(manager, run.automationId, stop, now);
  }

  private async pauseActionOfAccount(
    manager: EntityManager,
    accountKey: string,
    action: RunAction,
    cause: StopClass,
    until: Date,
    now: Date,
  ): Promise<void> {
    await pauseAction(manager, accountKey, action, cause, until, now);
    await this.pauses.pause(manager, { accountKey, runKinds: kindsDoing(action) }, { cause, until, resumes: true }, now);
  }
}

function after(ms: number, now: Date): Date {
  return new Date(now.getTime() + ms);
}

/** The end of a block as the network named it, at most `longestNamedBlockMs` away; null when it named none, or one that has passed. */
function endNamedByNetwork({ evidence }: StopSignal, now: Date): Date | null {
  const { expiresAt } = evidence;
  const named = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN;
  if (!(named > now.getTime())) return null;
  return new Date(Math.min(named, now.getTime() + longestNamedBlockMs));
}

function laterOf(at: Date, other: Date | null): Date {
  return other !== null && other > at ? other : at;
}
