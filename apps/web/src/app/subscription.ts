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

export const slotsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['slots', userId],
    queryFn: async () => Number(dataOf(await client().rpc('get_available_slots', { p_user_id: userId }))),
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
