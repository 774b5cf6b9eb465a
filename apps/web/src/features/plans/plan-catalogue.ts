import { queryOptions } from '@tanstack/react-query';
import type { Subscription } from '../../app/subscription';
import { client, dataOf } from '../../lib/runtime';

/** A row of the public catalogue. */
export interface Plan {
  id: string;
  key: string;
  name: string;
  description: string | null;
  max_slots: number;
  price_cents: number;
  /** What a purchase names; null until the plan is on sale. */
  price_id: string | null;
  features: string[];
  is_popular: boolean;
  trial_days: number;
}

export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: async () => dataOf(await client().from('subscription_plans').select('*').order('position')) as Plan[],
  staleTime: 600_000,
});

export interface PlanButtonFacts {
  plan: Pick<Plan, 'name' | 'max_slots' | 'trial_days' | 'price_id'>;
  subscription: Pick<Subscription, 'subscribed' | 'plan_name' | 'max_slots'> | null;
  /** Slots that the plan must have room for. */
  usedSlots: number;
  /** Who had a subscription before gets no second trial. */
  hasHistory?: boolean;
  isBusy: boolean;
}

export interface PlanButtonState {
  label: string;
  isDisabled: boolean;
  /** Automations that keep the plan from being chosen; null when they fit. */
  tooManyUsed: number | null;
}

export function isCurrentPlan({ plan, subscription }: Pick<PlanButtonFacts, 'plan' | 'subscription'>): boolean {
  return Boolean(subscription?.subscribed) && subscription?.plan_name === plan.name;
}

function wordFor({ plan, subscription, hasHistory = false }: PlanButtonFacts): string {
  if (!subscription?.subscribed) return plan.trial_days > 0 && !hasHistory ? 'Testar Grátis' : 'Assinar Plano';
  if (plan.max_slots > subscription.max_slots) return 'Fazer Upgrade';
  return plan.max_slots < subscription.max_slots ? 'Fazer Downgrade' : 'Alterar Plano';
}

/** Text and state of a plan's button (specification, section 4). */
export function planButton(facts: PlanButtonFacts): PlanButtonState {
  if (facts.isBusy) return { label: 'Processando...', isDisabled: true, tooManyUsed: null };
  if (isCurrentPlan(facts)) return { label: 'Plano Atual', isDisabled: true, tooManyUsed: null };
  const tooManyUsed = facts.usedSlots > facts.plan.max_slots ? facts.usedSlots : null;
  return { label: wordFor(facts), isDisabled: tooManyUsed !== null || facts.plan.price_id === null, tooManyUsed };
}
