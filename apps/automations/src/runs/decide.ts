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
import { type CeilingTable, reachedCeiling, roomFor, type Usage } from './ceilings.js';
import { ceilingKindOf, type ExtractionProgress, frequencyOf, planRun, type RunKind } from './plan.js';
import { type QuietHours, quietUntil } from './quiet-hours.js';

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
  /** Where earlier runs left the slot that people are taken from. */
  sourceOffset: number;
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
  const room = roomFor(ceilingKindOf(due.kind), rules.ceilings, account, usage, now);
  const unsettled = (around.unsettled.get(accountKey) ?? []).slice(0, mostUnsettled);
  const reachedBy = (kind: RunKind) => reachedCeiling(ceilingKindOf(kind), rules.ceilings, account, usage, now);
  const whenRoom = (kind: RunKind) => later(ceilingRetryMs[reachedBy(kind)?.period ?? 'hour']);
  const holdAtCeiling = (kind: RunKind): Decision => hold('ceiling', whenRoom(kind), ceilingReason(kind, reachedBy(kind)));
  if (room === 0 && (unsettled.length === 0 || due.remainingBudget === null)) return holdAtCeiling(due.kind);

  const unfollowTargets = (around.unfollowTargets.get(accountKey) ?? []).slice(0, 5);
  const plan = planRun({
    configuration: due.configuration,
    kind: due.kind,
    room,
    pageRoom: roomFor('list-page', rules.ceilings, account, usage, now),
    runNumber: due.runCount,
    remainingBudget: due.remainingBudget,
    progress: due.progress,
    sourceOffset: due.sourceOffset,
    unfollowTargets,
  });
  if (!plan) return { kind: 'pause', cause: due.configuration['method'] === 'slot' ? 'source_gone' : 'target_gone' };
  // A list that may not be read now: what is open is looked at all the same, which takes no page of it.
  const cannotRead = plan.kind === 'follow' && plan.maxPages === 0;
  if (cannotRead && unsettled.length === 0) return holdAtCeiling('extract-list');
  const frequency = frequencyOf(due.configuration);
  const atNextTime = due.kind === 'extract-list' || !frequency ? null : nextOccurrence(frequency, due.dueAt, now);
  // A run of its own that only looked did not have its turn.
  const nextRunAt = cannotRead && due.remainingBudget === null ? whenRoom('extract-list') : atNextTime;
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
