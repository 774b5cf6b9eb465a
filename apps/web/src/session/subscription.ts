import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import pTimeout from 'p-timeout';
import { ApiError, callFunction, client, unwrap } from '../lib/api-client';
import { useUser } from './session';
import { checkRefreshSeconds, forceRefresh, refreshUnder } from './session-refresh';
import { cachedSubscription, cacheSubscription } from './subscription-cache';

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
  /** The check failed, and this is the last known state. */
  isLastKnown?: boolean;
}

const timeoutMs = 15_000;
/** A cached state younger than this is shown while the next check runs. */
const freshMs = 2 * 3_600_000;
const recheckSubscribedMs = 3_600_000;
const recheckMs = 300_000;
/** Consecutive failed checks after which the last known state no longer counts: in the background, and while a page waits for it. */
const failureLimits = { background: 3, page: 5 } as const;

const isInFuture = (end: string | null | undefined) => Boolean(end) && Date.parse(end!) > Date.now();

/** The session is missing, invalid or expired: a refreshed one may help. */
function isSessionRefusal(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return (
    error.status === 401 ||
    /(session|jwt|token).*(missing|not found|invalid|expired)|(missing|invalid|expired).*(session|jwt|token)/i.test(error.message)
  );
}

const askBilling = () =>
  pTimeout(callFunction<Subscription>('check-subscription'), { milliseconds: timeoutMs, message: new ApiError('timeout') });

/** Asks billing with a session that is valid long enough; refreshes a refused session once. */
async function check(): Promise<Subscription> {
  await refreshUnder(checkRefreshSeconds);
  try {
    return await askBilling();
  } catch (error) {
    if (!isSessionRefusal(error) || !(await forceRefresh())) throw error;
    return askBilling();
  }
}

interface ProfileRow {
  subscription_status: string | null;
  subscription_end: string | null;
  last_subscription_check: string | null;
  subscription_plans: { name: string; max_slots: number } | null;
}

/** The copy of the subscription in the profile; null when it is too old or has ended. */
async function subscriptionInProfile(userId: string): Promise<Subscription | null> {
  const columns = 'subscription_status,subscription_end,last_subscription_check,subscription_plans(name,max_slots)';
  const row = unwrap(await client().from('profiles').select(columns).eq('user_id', userId).single<ProfileRow>());
  const isSubscribed = row.subscription_status === 'active' || row.subscription_status === 'trialing';
  const checkedAt = Date.parse(row.last_subscription_check ?? '');
  if (!isSubscribed || !(Date.now() - checkedAt < freshMs) || !isInFuture(row.subscription_end)) return null;
  return {
    subscribed: true,
    plan_name: row.subscription_plans?.name ?? null,
    max_slots: row.subscription_plans?.max_slots ?? 0,
    used_slots: 0,
    subscription_end: row.subscription_end,
    is_trial: row.subscription_status === 'trialing',
  };
}

/** Last known subscription, from this device or from the profile; null when neither has one that is still running. */
async function lastKnownSubscription(userId: string): Promise<Subscription | null> {
  const remembered = cachedSubscription<Subscription>(userId)?.state;
  const state = remembered ?? (await subscriptionInProfile(userId).catch(() => null));
  return state?.subscribed && (state.subscription_end === null || isInFuture(state.subscription_end))
    ? { ...state, isLastKnown: true }
    : null;
}

class CheckFailedError extends Error {
  constructor(
    readonly mayRetry: boolean,
    cause: unknown,
  ) {
    super('the subscription could not be checked', { cause });
  }
}

/** Consecutive failed checks; a success resets them. */
const failures = new WeakMap<QueryClient, number>();

/**
 * The person's subscription. A page that waits for it gets a fresh cached state at once. While checks fail, the last known state holds:
 * for fewer than three failures in the background, for fewer than five while a page waits. After that the query is an error, and the
 * person counts as not subscribed (`useSubscription`).
 */
export const subscriptionQuery = (userId: string) =>
  queryOptions<Subscription>({
    queryKey: ['subscription', userId],
    queryFn: async ({ client: queries, queryKey }): Promise<Subscription> => {
      try {
        const state = await check();
        failures.delete(queries);
        cacheSubscription(userId, state);
        return state;
      } catch (error) {
        const failed = (failures.get(queries) ?? 0) + 1;
        failures.set(queries, failed);
        const isPageWaiting = queries.getQueryData(queryKey) === undefined;
        const isTolerable = failed < failureLimits[isPageWaiting ? 'page' : 'background'];
        const known = isTolerable ? await lastKnownSubscription(userId) : null;
        if (known) return known;
        throw new CheckFailedError(isPageWaiting && isTolerable, error);
      }
    },
    placeholderData: () => {
      const remembered = cachedSubscription<Subscription>(userId);
      const isFresh =
        remembered?.state.subscribed && Date.now() - remembered.checkedAt < freshMs && isInFuture(remembered.state.subscription_end);
      return isFresh ? remembered.state : undefined;
    },
    // While offline, the check is paused and does not count as failed.
    networkMode: 'online',
    retry: (_, error) => error instanceof CheckFailedError && error.mayRetry,
    staleTime: 60_000,
    refetchInterval: ({ state: { data, status } }) =>
      status === 'success' && data?.subscribed && !data.isLastKnown ? recheckSubscribedMs : recheckMs,
    refetchIntervalInBackground: true,
  });

const retryMs = 1000;
const maxAttempts = 15;

/**
 * Free slots according to the automations service, which hears of a new plan shortly after the payment. While it reports none although the
 * plan has some, both are requested again, for 15 seconds at most.
 */
export const slotsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['get_available_slots', userId],
    queryFn: async ({ client: queries, signal }) => {
      for (let attempt = 1; ; attempt += 1) {
        const free = Number(unwrap(await client().rpc('get_available_slots', { p_user_id: userId })));
        if (free > 0 || attempt === maxAttempts || signal.aborted) return free;
        const plan = await queries.fetchQuery({ ...subscriptionQuery(userId), ...(attempt > 1 ? { staleTime: 0 } : {}) }).catch(() => null);
        if (!plan?.subscribed || plan.used_slots >= plan.max_slots) return free;
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    },
  });

export const historyQuery = (userId: string) =>
  queryOptions({
    queryKey: ['history', userId],
    queryFn: async () => unwrap(await client().from('subscriptions').select('id').eq('user_id', userId).limit(1)).length > 0,
  });

/** The person's subscription; `data` is undefined after too many failed checks. */
export function useSubscription() {
  const { data, isPending, isError, refetch } = useQuery(subscriptionQuery(useUser().id));
  return { data: isError ? undefined : data, isPending, isError, refetch };
}

export function useSlots() {
  return useQuery(slotsQuery(useUser().id));
}

/**
 * Slots in use: the plan's slots minus the free ones, which are negative after a downgrade. The subscription's own count lags behind
 * deletions, and is used only until the automations service has answered.
 */
export function useUsedSlots(): number {
  const { max_slots: total = 0, used_slots: known = 0 } = useSubscription().data ?? {};
  const free = useSlots().data;
  return free === undefined ? known : Math.max(0, total - free);
}
