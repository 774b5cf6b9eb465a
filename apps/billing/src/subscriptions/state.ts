import type { SubscriptionChangeCause, SubscriptionState } from '@decola/contracts';
import type { Plan } from '../catalogue/plans.js';

const day = 86_400_000;

/** Grace period: days of access after an unpaid renewal, counted from the unpaid invoice. */
export const graceDays = 7;

/** Statuses of a subscription that has not ended. A user has at most one subscription in these. */
export const liveStatuses: readonly string[] = ['trialing', 'active', 'past_due', 'unpaid', 'paused'];

/** Statuses that this code understands. Stripe may add others: an unknown one changes nothing. */
export const knownStatuses: readonly string[] = [...liveStatuses, 'incomplete', 'incomplete_expired', 'canceled'];

/** What decides about access, copied from a Stripe subscription. */
export interface SubscriptionFacts {
  status: string;
  periodStart: Date;
  periodEnd: Date;
  trialEnd: Date | null;
  cancelAt: Date | null;
  cancelAtPeriodEnd: boolean;
  endedAt: Date | null;
  /** When its oldest unpaid invoice was created; null when none is unpaid. */
  unpaidSince: Date | null;
  pausedSince: Date | null;
  /** Paused by Stripe because a payment failed, not by a person's choice. */
  pausedForPayment: boolean;
  collectionPaused: boolean;
  collectionMethod: string;
  endsBySchedule: boolean;
  /** Whether a payment above zero was made and not refunded. */
  everPaid: boolean;
  /** When the fetch of this copy began. */
  fetchedAt: Date;
}

export const neverSubscribed: SubscriptionState = {
  subscribed: false,
  plan_id: null,
  plan_key: null,
  plan_name: null,
  max_slots: 0,
  subscription_status: null,
  subscription_end: null,
  is_trial: false,
  trial_ends_at: null,
  is_canceled: false,
  is_past_due: false,
  will_renew: false,
};

/** When a scheduled cancellation takes effect; null when none is scheduled. Stripe encodes it in either of two ways. */
export function cancellationDateOf({ cancelAt, cancelAtPeriodEnd, periodEnd }: SubscriptionFacts): Date | null {
  return cancelAt ?? (cancelAtPeriodEnd ? periodEnd : null);
}

/** End of the grace period of an unpaid subscription. A trial whose first charge failed was never paid and has no grace period. */
export function graceEndOf({ unpaidSince, periodStart, everPaid }: SubscriptionFacts): Date {
  const since = unpaidSince ?? periodStart;
  return everPaid ? new Date(since.getTime() + graceDays * day) : since;
}

const earliest = (...moments: (Date | null)[]): Date | null =>
  moments.reduce((first, moment) => (moment && (!first || moment < first) ? moment : first), null);

interface Access {
  subscribed: boolean;
  isTrial?: boolean;
  isPastDue?: boolean;
  isCanceled?: boolean;
  willRenew?: boolean;
  end: Date | null;
}

/** Access by status. @returns undefined for a status that this code does not know. */
function accessOf(facts: SubscriptionFacts, now: Date): Access | undefined {
  const cancelsAt = cancellationDateOf(facts);
  const isRunning = cancelsAt === null || now < cancelsAt;
  switch (facts.status) {
    case 'trialing':
      return {
        subscribed: isRunning,
        isTrial: true,
        isCanceled: cancelsAt !== null,
        willRenew: cancelsAt === null && !facts.collectionPaused,
        end: cancelsAt ?? facts.trialEnd,
      };
    case 'active':
      return {
        subscribed: isRunning,
        isCanceled: cancelsAt !== null,
        willRenew:
          cancelsAt === null && !facts.collectionPaused && facts.collectionMethod === 'charge_automatically' && !facts.endsBySchedule,
        end: cancelsAt ?? facts.periodEnd,
      };
    case 'past_due': {
      const graceEnd = graceEndOf(facts);
      return {
        subscribed: now < graceEnd && isRunning,
        isPastDue: true,
        isCanceled: cancelsAt !== null,
        willRenew: cancelsAt === null,
        end: earliest(graceEnd, cancelsAt),
      };
    }
    case 'unpaid':
      return { subscribed: false, isPastDue: true, end: facts.unpaidSince ?? facts.periodStart };
    case 'paused':
      return { subscribed: false, isPastDue: facts.pausedForPayment, end: facts.pausedSince ?? facts.fetchedAt };
    case 'incomplete':
    case 'incomplete_expired':
      return { subscribed: false, end: null };
    case 'canceled':
      return { subscribed: false, isCanceled: true, end: facts.endedAt };
    default:
      return undefined;
  }
}

/**
 * What a subscription entitles its user to at the moment `now`.
 * @param before the previous state, returned unchanged for an unknown status.
 */
export function stateOf(facts: SubscriptionFacts, plan: Plan, now: Date, before: SubscriptionState = neverSubscribed): SubscriptionState {
  const access = accessOf(facts, now);
  if (!access) return before;
  const { subscribed, end } = access;
  return {
    subscribed,
    plan_id: subscribed ? plan.id : null,
    plan_key: subscribed ? plan.key : null,
    plan_name: subscribed ? plan.name : null,
    max_slots: subscribed ? plan.maxSlots : 0,
    subscription_status: facts.status,
    subscription_end: end?.toISOString() ?? null,
    is_trial: access.isTrial ?? false,
    trial_ends_at: access.isTrial ? (facts.trialEnd?.toISOString() ?? null) : null,
    is_canceled: access.isCanceled ?? false,
    is_past_due: access.isPastDue ?? false,
    will_renew: access.willRenew ?? false,
  };
}

/** The same state without any entitlement. */
export function withoutAccess(state: SubscriptionState): SubscriptionState {
  return { ...state, subscribed: false, plan_id: null, plan_key: null, plan_name: null, max_slots: 0, will_renew: false };
}

/** The next moment after `now` at which access ends by the clock, without an event of Stripe; null when there is none. */
export function nextAccessEndOf(facts: SubscriptionFacts, now: Date): Date | null {
  const candidates =
    facts.status === 'past_due'
      ? [graceEndOf(facts), cancellationDateOf(facts)]
      : facts.status === 'trialing' || facts.status === 'active'
        ? [cancellationDateOf(facts)]
        : [];
  return earliest(...candidates.map((moment) => (moment && moment > now ? moment : null)));
}

/** Whether the stored facts must be fetched again before use: a date has passed at which they change, or they are older than `oldestMs`. */
export function isOutdated(facts: SubscriptionFacts, now: Date, oldestMs = day): boolean {
  if (!liveStatuses.includes(facts.status)) return false;
  const passed = [facts.periodEnd, facts.status === 'trialing' ? facts.trialEnd : null, facts.cancelAt].some(
    (moment) => moment !== null && moment <= now,
  );
  return passed || now.getTime() - facts.fetchedAt.getTime() > oldestMs;
}

/** Names the change between two states. Listeners act on the state; the cause is for people who read the events. */
export function causeOf(before: SubscriptionState, after: SubscriptionState): SubscriptionChangeCause {
  if (!before.subscribed && after.subscribed) {
    if (before.is_past_due) return 'payment_recovered';
    return after.is_trial ? 'trial_started' : 'subscribed';
  }
  if (before.subscribed && !after.subscribed) return !after.is_past_due ? 'ended' : before.is_past_due ? 'grace_ended' : 'payment_failed';
  if (!after.subscribed) return after.is_past_due && !before.is_past_due ? 'payment_failed' : 'ended';
  if (before.plan_key !== after.plan_key) return 'plan_changed';
  if (!before.is_past_due && after.is_past_due) return 'payment_failed';
  if (before.is_past_due && !after.is_past_due) return 'payment_recovered';
  if (!before.is_canceled && after.is_canceled) return 'cancel_scheduled';
  if (before.is_canceled && !after.is_canceled) return 'cancel_undone';
  return 'renewed';
}
