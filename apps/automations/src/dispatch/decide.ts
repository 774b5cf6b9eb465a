import {
  type AutomationType,
  type BrowserRun,
  interactiveRunsQueue,
  type LedgerTarget,
  type RunKind,
  type RunPlan,
  scheduledRunsQueue,
  type UnsettledReservation,
  type UsageKind,
} from '@decola/contracts';
import { randomUUID } from 'node:crypto';
import { pausesHolding } from '../accounts/account-pauses.js';
import type { HoldCode } from '../automation-state/state.js';
import type { Configuration } from '../automations/configuration.js';
import { type CeilingTable, reachedCeiling, roomFor, type Usage } from '../safety/ceilings.js';
import { quietFromNext, type QuietHours, quietUntil } from '../safety/quiet-hours.js';
import type { PauseCause } from '../safety/stops.js';
import { holdTexts, instantText, pauseReason } from '../texts/texts.js';
import { ceilingOf, runModules } from '../tools/registry.js';
import type { ToolLimits } from '../tools/run-module.js';
import { nextTurnOf } from './next-turn.js';

export interface DispatchRules extends ToolLimits {
  ceilings: CeilingTable;
  actionGapMs: { min: number; max: number };
  pageGapMs: { min: number; max: number };
  jobTtlMs: number;
}

/** A due automation with everything that a decision needs. */
export interface DueAutomation {
  id: string;
  userId: string;
  type: AutomationType;
  configuration: Configuration;
  dueAt: Date;
  accountKey: string | null;
  kind: RunKind;
  runCount: number;
  /** The customer waits for this run: they have just saved the automation. */
  isInteractive: boolean;
  /** What is left of an interrupted run's budget; null when there is none to continue. */
  remainingBudget: number | null;
  session: {
    id: string;
    envelope: string;
    networkUserId: string;
    /** Until when runs wait for the visit that checks the session; null when they do not. */
    checkEndsAt: Date | null;
  } | null;
  /** Why there is no usable session; null when the reason is unknown. */
  sessionCause: PauseCause | null;
  /** Of the account: its customer's, or the configured ones. */
  quietHours: QuietHours;
  /** End of the customer's own pause of the account; null when there is none. */
  ownPausedUntil: Date | null;
  /** The customer has not proven the account: nothing of it is shown to them. */
  isUnproven?: boolean;
  timeZone: string;
  locale: string;
  account: {
    firstSeenAt: Date;
    lastBlockAt: Date | null;
    pausedCause: PauseCause | null;
    pausedSince: Date | null;
    pausedUntil: Date | null;
  } | null;
  /** Where earlier runs stopped in the extracted list that people are taken from. */
  sourceOffset: number;
}

/** What the decisions of a batch depend on, besides the automations themselves. */
export interface DispatchContext {
  /** By account key. */
  usage: ReadonlyMap<string, Usage>;
  /** Keys of accounts that have an open run. */
  busy: ReadonlySet<string>;
  /** Tries that a run has to look at, by account key. */
  unsettled: ReadonlyMap<string, readonly UnsettledReservation[]>;
  /** Targets that were loaded for the kinds of runs that ask for them, by kind and account key. */
  candidates: ReadonlyMap<RunKind, ReadonlyMap<string, readonly LedgerTarget[]>>;
  /** Actions that the ledger holds of automations whose kind of run asks for the number, by the automation's id. */
  actionCounts: ReadonlyMap<string, number>;
  /** By `${accountKey} ${paused}`, where `paused` is the name of a pause (`account-pauses.ts`). */
  actionPauses: ReadonlyMap<string, ActivePause>;
  /** Kinds of runs that are paused for everybody. */
  kindPauses: ReadonlyMap<string, KindPause>;
}

export interface ActivePause {
  cause: PauseCause;
  since: Date;
  until: Date;
}

export interface KindPause extends ActivePause {
  /** When the next run is let through as a probe. */
  probeAt: Date;
}

/**
 * `run`: send this job. `hold`: wait until then, for a reason that passes by itself. `pause`: switch the automation off until its customer does
 * something.
 */
export type Decision =
  | { kind: 'run'; job: BrowserRun; queue: string; nextRunAt: Date | null; budget: number }
  | Hold
  | { kind: 'pause'; cause: PauseCause };

export type Hold = { kind: 'hold'; code: HoldCode; until: Date; reason: string };

const minuteMs = 60_000;
/** How long an automation waits for an account with an open run, unless the end of that run makes it due earlier. */
const busyRetryMs = 2 * minuteMs;
const ceilingRetryMs = { hour: 10 * minuteMs, day: 60 * minuteMs };
/** Holds that reveal something of the account. */
const accountHolds: ReadonlySet<HoldCode> = new Set<HoldCode>([
  'account_busy',
  'account_paused',
  'action_paused',
  'ceiling',
  'nobody_to_unfollow',
]);

/** Decides what happens to a due automation at `now`. Pure. */
export function decide(due: DueAutomation, context: DispatchContext, rules: DispatchRules, now: Date): Decision {
  const decision = decideForOwner(due, context, rules, now);
  if (decision.kind !== 'hold' || !due.isUnproven || !accountHolds.has(decision.code)) return decision;
  const until = earlierOf(decision.until, new Date(now.getTime() + busyRetryMs));
  return { kind: 'hold', code: 'session_check', until, reason: holdTexts.sessionNotCheckedYet };
}

/** As `decide`, with reasons that only a customer who has proven the account may read. */
function decideForOwner(due: DueAutomation, context: DispatchContext, rules: DispatchRules, now: Date): Decision {
  const { accountKey, account, session, timeZone } = due;
  const later = (ms: number) => new Date(now.getTime() + ms);
  if (accountKey === null || account === null || session === null) return { kind: 'pause', cause: due.sessionCause ?? 'session_ended' };

  const quiet = quietUntil(due.quietHours, now, timeZone);
  const held = holdForPause({ ...due, accountKey, account, session }, context, quiet, now);
  if (held) return held;

  const usage = context.usage.get(accountKey) ?? { hour: {}, day: {} };
  const unsettled = context.unsettled.get(accountKey) ?? [];
  const module = runModules[due.kind];
  const ceiling = ceilingOf(due.kind);
  const periodOf = (kind: UsageKind) => reachedCeiling(kind, rules.ceilings, account, usage, now)?.period ?? 'hour';
  const holdAtCeiling = (kind: UsageKind, needed = 1): Hold => {
    const reached = reachedCeiling(kind, rules.ceilings, account, usage, now, needed);
    const { most, period } = reached ?? { most: 0, period: 'hour' as const };
    return { kind: 'hold', code: 'ceiling', until: later(ceilingRetryMs[period]), reason: holdTexts.ceiling(kind, most, period) };
  };

  const room = roomFor(ceiling, rules.ceilings, account, usage, now);
  // The continuation of an interrupted run may still look at its open tries: of all ceilings, only that of page views limits looks.
  const isContinuation = due.remainingBudget !== null;
  const wholeRoom = roomFor(ceiling, rules.ceilings, account, { hour: {}, day: {} }, now);
  const leastRoom = Math.max(1, Math.min(module.leastPages?.(due.configuration) ?? 1, wholeRoom));
  if (room < leastRoom && !(isContinuation && unsettled.length > 0)) return holdAtCeiling(ceiling, leastRoom);
  const viewRoom = roomFor('page-view', rules.ceilings, account, usage, now);
  if (viewRoom < module.leastViews) return holdAtCeiling('page-view', module.leastViews);

  const candidates = context.candidates.get(due.kind)?.get(accountKey) ?? [];
  const plan = module.plan({
    configuration: due.configuration,
    room,
    pageRoom: roomFor('list-page', rules.ceilings, account, usage, now),
    runNumber: due.runCount,
    remainingBudget: due.remainingBudget,
    sourceOffset: due.sourceOffset,
    candidates,
    actionsSoFar: context.actionCounts.get(due.id) ?? 0,
    now,
  });
  if (!plan) return { kind: 'pause', cause: due.configuration['method'] === 'slot' ? 'source_gone' : 'target_gone' };
  // Without room for its pages the list is not read, but the run may look at open tries.
  const isListUnreadable = 'maxPages' in plan && plan.maxPages === 0;
  if (isListUnreadable && unsettled.length === 0) return holdAtCeiling('list-page');

  const nextTurnAt = nextTurnOf(due, now);
  // A run that only looks at open tries does not count as the automation's run, which comes when the ceiling allows pages again.
  const nextRunAt = isListUnreadable && !isContinuation ? later(ceilingRetryMs[periodOf('list-page')]) : nextTurnAt;
  // Another automation of the account may have looked at everything meanwhile.
  if (due.remainingBudget === 0 && unsettled.length === 0)
    return { kind: 'hold', code: 'nothing_left', until: nextRunAt ?? later(ceilingRetryMs.day), reason: holdTexts.nothingLeft };
  const { whenNone } = module.candidates ?? {};
  if (whenNone && module.candidates?.isNeeded(due.configuration) && candidates.length === 0 && unsettled.length === 0) {
    return { kind: 'hold', code: whenNone.code, until: nextRunAt ?? later(60 * minuteMs), reason: whenNone.reason(rules) };
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
    mostPageViews: viewRoom,
    // A run that may begin during quiet hours does not end at the next ones.
    endsAt: quiet ? null : (quietFromNext(due.quietHours, now, timeZone)?.toISOString() ?? null),
    browser: { locale: due.locale, timeZone },
    expiresAt: later(rules.jobTtlMs).toISOString(),
  };
  // The customer waits for the first part only: continuations take their turn with scheduled runs.
  const queue = due.isInteractive && !isContinuation ? interactiveRunsQueue : scheduledRunsQueue;
  return { kind: 'run', job, queue, nextRunAt, budget: budgetOf(plan) };
}

type RunnableAutomation = DueAutomation & {
  accountKey: string;
  account: NonNullable<DueAutomation['account']>;
  session: NonNullable<DueAutomation['session']>;
};

/**
 * The first pause, rest or open run that keeps the automation from running; null when nothing does.
 * @param quiet end of the quiet hours that contain `now`; null outside of them
 */
function holdForPause(
  due: RunnableAutomation,
  { actionPauses, kindPauses, busy }: DispatchContext,
  quiet: Date | null,
  now: Date,
): Hold | null {
  const { accountKey, account, session, timeZone } = due;
  const hold = (code: HoldCode, until: Date, reason: string): Hold => ({ kind: 'hold', code, until, reason });
  const { pausedCause, pausedSince, pausedUntil } = account;
  if (pausedCause && pausedSince && pausedUntil && pausedUntil > now)
    return hold('account_paused', pausedUntil, pauseReason(pausedCause, pausedSince, pausedUntil, { timeZone }));
  if (due.ownPausedUntil && due.ownPausedUntil > now)
    return hold('customer_pause', due.ownPausedUntil, holdTexts.customerPause(instantText(due.ownPausedUntil, timeZone)));
  if (session.checkEndsAt && session.checkEndsAt > now) return hold('session_check', session.checkEndsAt, holdTexts.sessionCheck);
  const actionPause = pausesHolding(due.kind, runModules[due.kind].readsLists(due.configuration))
    .flatMap((paused) => actionPauses.get(`${accountKey} ${paused}`) ?? [])
    .find(({ until }) => until > now);
  if (actionPause)
    return hold('action_paused', actionPause.until, pauseReason(actionPause.cause, actionPause.since, actionPause.until, { timeZone }));
  const kindPause = kindPauses.get(due.kind);
  // When a probe is due, the run is let through; the dispatcher sends only one.
  if (kindPause && kindPause.until > now && kindPause.probeAt > now) {
    const until = earlierOf(kindPause.probeAt, kindPause.until);
    return hold('kind_paused', until, pauseReason(kindPause.cause, kindPause.since, until, { timeZone, isForEverybody: true }));
  }
  // A customer who publishes at night is awake, so the first run does not wait for the morning.
  const isFirst = due.isInteractive && due.runCount === 0;
  if (quiet && !isFirst) return hold('quiet_hours', quiet, holdTexts.quietHours(instantText(quiet, timeZone)));
  if (busy.has(accountKey)) return hold('account_busy', new Date(now.getTime() + busyRetryMs), holdTexts.accountBusy);
  return null;
}

/** How many actions, or else pages of a list, the plan allows. */
function budgetOf(plan: RunPlan): number {
  if ('budget' in plan) return plan.budget;
  return 'maxPages' in plan ? plan.maxPages : 0;
}

function earlierOf(one: Date, other: Date): Date {
  return one < other ? one : other;
}
