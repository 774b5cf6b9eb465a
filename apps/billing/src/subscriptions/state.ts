import type { SubscriptionChangeCause, SubscriptionState } from '@decola/contracts';
import type { Plan } from '../catalogue/plans.js';

const day = 86_400_000;

/** Days of access after a renewal that could not be paid, counted from the unpaid invoice. */
export const graceDays = 7;

/** Statuses of which a user may have one at a time. */
export const liveStatuses: readonly string[] = ['trialing', 'active', 'past_due', 'unpaid', 'paused'];

/** What billing keeps of a Stripe subscription to decide about access. */
export interface SubscriptionFacts {
  status: string;
  periodStart: Date;
  periodEnd: Date;
  trialEnd: Date | null;
  cancelAt: Date | null;
  cancelAtPeriodEnd: boolean;
  endedAt: Date | null;
  /** When its oldest unpaid invoice was made. */
  unpaidSince: Date | null;
  pausedSince: Date | null;
  /** Paused because a payment failed, not by anyone's wish. */
  pausedForPayment: boolean;
  collectionPaused: boolean;
  collectionMethod: string;
  endsBySchedule: boolean;
  /** An invoice above zero was paid. */
  everPaid: boolean;
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

/** When a scheduled cancellation takes effect; null when none is scheduled. */
export function stopOf({ cancelAt, cancelAtPeriodEnd, periodEnd }: SubscriptionFacts): Date | null {
  return cancelAt ?? (cancelAtPeriodEnd ? periodEnd : null);
}

/** End of the grace of an unpaid subscription. A trial whose first charge failed was never paid: it has none. */
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

/** The table of statuses. @returns undefined for a status that is unknown to us. */
function accessOf(facts: SubscriptionFacts, now: Date): Access | undefined {
  const stop = stopOf(facts);
  const runsOn = stop === null || now < stop;
  switch (facts.status) {
    case 'trialing':
      return {
        subscribed: runsOn,
        isTrial: true,
        isCanceled: stop !== null,
        willRenew: stop === null && !facts.collectionPaused,
        end: stop ?? facts.trialEnd,
      };
    case 'active':
      return {
        subscribed: runsOn,
        isCanceled: stop !== null,
        willRenew: stop === null && !facts.collectionPaused && facts.collectionMethod === 'charge_automatically' && !facts.endsBySchedule,
        end: stop ?? facts.periodEnd,
      };
    case 'past_due': {
      const graceEnd = graceEndOf(facts);
      return {
        subscribed: now < graceEnd && runsOn,
        isPastDue: true,
        isCanceled: stop !== null,
        willRenew: stop === null,
        end: earliest(graceEnd, stop),
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
 * What a subscription entitles its user to at this moment.
 * @param before the state so far, which an unknown status leaves as it is.
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

/** The next moment after `now` at which access runs out by the clock alone; null when none is in sight. */
export function nextBoundaryOf(facts: SubscriptionFacts, now: Date): Date | null {
  const candidates =
    facts.status === 'past_due'
      ? [graceEndOf(facts), stopOf(facts)]
      : facts.status === 'trialing' || facts.status === 'active'
        ? [stopOf(facts)]
        : [];
  return earliest(...candidates.map((moment) => (moment && moment > now ? moment : null)));
}

/** Whether Stripe should be asked before the stored facts are believed: a moment has passed at which they must have changed. */
export function isOutdated(facts: SubscriptionFacts, now: Date, oldestMs = day): boolean {
  if (!liveStatuses.includes(facts.status)) return false;
  const passed = [facts.periodEnd, facts.status === 'trialing' ? facts.trialEnd : null, facts.cancelAt].some(
    (moment) => moment !== null && moment <= now,
  );
  return passed || now.getTime() - facts.fetchedAt.getTime() > oldestMs;
}

/** The word for what happened between two states; listeners act on the state, people read the cause. */
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
