import { useQuery } from '@tanstack/react-query';
import { type Subscription, useSubscription } from '../../session/subscription';
import { type Plan, plansQuery } from './plan-catalogue';

/** Whether no plan on sale has more slots. Customers of such a plan are not offered an upgrade. */
export function isHighestPlan(
  subscription: Pick<Subscription, 'subscribed' | 'max_slots'> | null,
  plans: readonly Pick<Plan, 'max_slots'>[],
): boolean {
  return Boolean(subscription?.subscribed) && plans.every(({ max_slots: slots }) => slots <= (subscription?.max_slots ?? 0));
}

/** Whether the person has the highest plan; undefined until plan and catalogue are known. */
export function useIsHighestPlan(): boolean | undefined {
  const { data: subscription } = useSubscription();
  const { data: plans } = useQuery(plansQuery);
  return subscription && plans && isHighestPlan(subscription, plans);
}
