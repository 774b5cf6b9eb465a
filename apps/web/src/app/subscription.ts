import { queryOptions, useQuery } from '@tanstack/react-query';
import { callFunction, client, dataOf } from '../lib/runtime';
import { useUser } from './session';

export interface Subscription {
  subscribed: boolean;
  plan_name: string | null;
  max_slots: number;
  used_slots: number;
  subscription_end: string | null;
  is_trial: boolean;
  trial_ends_at?: string | null;
  is_canceled?: boolean;
  is_past_due?: boolean;
  will_renew?: boolean;
}

const timeoutMs = 15_000;

export const subscriptionQuery = (userId: string) =>
  queryOptions({
    queryKey: ['subscription', userId],
    queryFn: () =>
      Promise.race([
        callFunction<Subscription>('check-subscription'),
        new Promise<never>((_, reject) => setTimeout(() => reject(new Error('timeout')), timeoutMs)),
      ]),
    // A guard waits on this one: it may fail five times before the person is taken for not subscribed.
    retry: 4,
    staleTime: 60_000,
    refetchInterval: ({ state }) => (state.data?.subscribed ? 3_600_000 : 300_000),
  });

const settleMs = 1000;
const settleTries = 15;

/**
 * Free slots, as the automations count them. News of a plan reaches them a moment after the payment: while they know of none and
 * the plan promises some, both are asked again, for some seconds at most.
 */
export const slotsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['slots', userId],
    queryFn: async ({ client: queries, signal }) => {
      for (let attempt = 1; ; attempt += 1) {
        const free = Number(dataOf(await client().rpc('get_available_slots', { p_user_id: userId })));
        if (free > 0 || attempt === settleTries || signal.aborted) return free;
        const plan = await queries.fetchQuery({ ...subscriptionQuery(userId), ...(attempt > 1 ? { staleTime: 0 } : {}) }).catch(() => null);
        if (!plan?.subscribed || plan.used_slots >= plan.max_slots) return free;
        await new Promise((resolve) => setTimeout(resolve, settleMs));
      }
    },
  });

export const historyQuery = (userId: string) =>
  queryOptions({
    queryKey: ['history', userId],
    queryFn: async () => dataOf(await client().from('subscriptions').select('id').eq('user_id', userId).limit(1)).length > 0,
  });

export function useSubscription() {
  return useQuery(subscriptionQuery(useUser().id));
}

export function useSlots() {
  return useQuery(slotsQuery(useUser().id));
}
