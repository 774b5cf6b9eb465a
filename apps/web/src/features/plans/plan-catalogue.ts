import type { PlanKey } from '@decola/contracts';
import { queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '../../lib/api-client';
import type { Subscription } from '../../session/subscription';
import { planButtonTexts as texts } from './texts';

/** A row of the public catalogue. */
export interface Plan {
  id: string;
  key: string;
  name: string;
  description: string | null;
  max_slots: number;
  price_cents: number;
  /** The payment provider's price; null until the plan is on sale. */
  price_id: string | null;
  features: string[];
  is_popular: boolean;
  trial_days: number;
}

export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: async () => unwrap(await client().from('subscription_plans').select('*').order('position')) as Plan[],
  staleTime: 600_000,
});

export interface PlanButtonFacts {
  plan: Pick<Plan, 'name' | 'max_slots' | 'trial_days' | 'price_id'>;
  subscription: Pick<Subscription, 'subscribed' | 'plan_name' | 'max_slots'> | null;
  /** Slots in use, which must fit into the plan. */
  usedSlots: number;
  /** Had a subscription before, and therefore gets no second trial. */
  hasHistory?: boolean;
  isBusy: boolean;
}

export interface PlanButtonState {
  label: string;
  isDisabled: boolean;
  /** How many automations exceed the plan; null when they fit. */
  tooManyUsed: number | null;
}

export function isCurrentPlan({ plan, subscription }: Pick<PlanButtonFacts, 'plan' | 'subscription'>): boolean {
  return Boolean(subscription?.subscribed) && subscription?.plan_name === plan.name;
}

function labelFor({ plan, subscription, hasHistory = false }: PlanButtonFacts): string {
  if (!subscription?.subscribed) return plan.trial_days > 0 && !hasHistory ? texts.startTrial : texts.subscribe;
  if (plan.max_slots > subscription.max_slots) return texts.upgrade;
  return plan.max_slots < subscription.max_slots ? texts.downgrade : texts.change;
}

/** Text and state of a plan's button (specification, section 4). */
export function planButton(facts: PlanButtonFacts): PlanButtonState {
  if (facts.isBusy) return { label: texts.busy, isDisabled: true, tooManyUsed: null };
  if (isCurrentPlan(facts)) return { label: texts.current, isDisabled: true, tooManyUsed: null };
  const tooManyUsed = facts.usedSlots > facts.plan.max_slots ? facts.usedSlots : null;
  return { label: labelFor(facts), isDisabled: tooManyUsed !== null || facts.plan.price_id === null, tooManyUsed };
}

interface ProminenceFacts {
  plans: readonly (Pick<Plan, 'id' | 'key' | 'trial_days' | 'is_popular'> & PlanButtonFacts['plan'])[];
  subscription: Subscription | null;
  usedSlots: number;
  hasHistory: boolean;
  /** The plan that the customer chose on the landing page. */
  chosen: PlanKey | null;
}

/**
 * The id of the plan with the filled button: the chosen one, else the trial for people who never had one, else the most popular, else the
 * smallest. Only plans with enough slots for the automations in use are considered, and for subscribers only upgrades. Null when no plan is left, and
 * when the subscription is past due or cancelled, since its customer must resolve that first.
 */
export function prominentPlan({ plans, subscription, usedSlots, hasHistory, chosen }: ProminenceFacts): string | null {
  const isSubscribed = subscription?.subscribed ?? false;
  if (isSubscribed && (subscription?.is_past_due || subscription?.is_canceled)) return null;
  const fitting = plans
    .filter(({ price_id: price, max_slots: slots }) => price !== null && slots >= usedSlots)
    .filter((plan) => !isSubscribed || plan.max_slots > (subscription?.max_slots ?? 0))
    .sort((one, other) => one.max_slots - other.max_slots);
  const found =
    fitting.find(({ key }) => key === chosen) ??
    (isSubscribed || hasHistory ? undefined : fitting.find(({ trial_days: days }) => days > 0)) ??
    fitting.find(({ is_popular: isPopular }) => isPopular) ??
    fitting[0];
  return found?.id ?? null;
}
