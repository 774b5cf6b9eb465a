import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { ApiError, callFunction, client, dataOf } from '../lib/runtime';
import { useUser } from './session';
import { checkRefreshSeconds, forceRefresh, refreshUnder } from './session-refresh';
import { rememberedSubscription, rememberSubscription } from './subscription-memory';

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
  /** The check failed, and this is the last state that was known. */
  isLastKnown?: boolean;
}

const timeoutMs = 15_000;
/** A state younger than this is shown while the next check runs. */
const freshMs = 2 * 3_600_000;
const recheckSubscribedMs = 3_600_000;
const recheckMs = 300_000;
/** Checks in a row that may fail before the last known state counts no more: in the background, and where a page waits. */
const failureLimits = { background: 3, guard: 5 } as const;

const isAhead = (end: string | null | undefined) => Boolean(end) && Date.parse(end!) > Date.now();

/** Session missing, invalid or expired: worth one renewed session. */
function isSessionRefusal(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return (
    error.status === 401 ||
    /(session|jwt|token).*(missing|not found|invalid|expired)|(missing|invalid|expired).*(session|jwt|token)/i.test(error.message)
  );
}

async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ApiError('timeout')), timeoutMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Asks billing, with a session that lasts long enough; a refused session is renewed once. */
async function check(): Promise<Subscription> {
  await refreshUnder(checkRefreshSeconds);
  try {
    return await inTime(callFunction<Subscription>('check-subscription'));
  } catch (error) {
    if (!isSessionRefusal(error) || !(await forceRefresh())) throw error;
    return inTime(callFunction<Subscription>('check-subscription'));
  }
}

interface ProfileRow {
  subscription_status: string | null;
  subscription_end: string | null;
  last_subscription_check: string | null;
  subscription_plans: { name: string; max_slots: number } | null;
}

/** The subscription as the profile has it; null when that copy is too old or has ended. */
async function freshProfile(userId: string): Promise<Subscription | null> {
  const columns = 'subscription_status,subscription_end,last_subscription_check,subscription_plans(name,max_slots)';
  const row = dataOf(await client().from('profiles').select(columns).eq('user_id', userId).single<ProfileRow>());
  const isSubscribed = row.subscription_status === 'active' || row.subscription_status === 'trialing';
  const checkedAt = Date.parse(row.last_subscription_check ?? '');
  if (!isSubscribed || !(Date.now() - checkedAt < freshMs) || !isAhead(row.subscription_end)) return null;
  return {
    subscribed: true,
    plan_name: row.subscription_plans?.name ?? null,
    max_slots: row.subscription_plans?.max_slots ?? 0,
    used_slots: 0,
    subscription_end: row.subscription_end,
    is_trial: row.subscription_status === 'trialing',
  };
}

/** What was known before a check failed: on this device, else in the profile; null when nobody knows of a subscription that still runs. */
async function lastKnown(userId: string): Promise<Subscription | null> {
  const remembered = rememberedSubscription<Subscription>(userId)?.state;
  const state = remembered ?? (await freshProfile(userId).catch(() => null));
  return state?.subscribed && (state.subscription_end === null || isAhead(state.subscription_end)) ? { ...state, isLastKnown: true } : null;
}

class CheckFailedError extends Error {
  constructor(
    readonly mayTryAgain: boolean,
    cause: unknown,
  ) {
    super('the subscription could not be checked', { cause });
  }
}

/** Checks that failed in a row; a success begins anew. */
const failures = new WeakMap<QueryClient, number>();

/**
 * The person's subscription. A page that waits for it sees a fresh copy of this device at once. While checks fail the last known
 * state holds: for fewer than three in the background, for fewer than five where a page waits. After that the check is an error,
 * and the person counts as not subscribed (`useSubscription`).
 */
export const subscriptionQuery = (userId: string) =>
  queryOptions<Subscription>({
    queryKey: ['subscription', userId],
    queryFn: async ({ client: queries, queryKey }): Promise<Subscription> => {
      try {
        const state = await check();
        failures.delete(queries);
        rememberSubscription(userId, state);
        return state;
      } catch (error) {
        const failed = (failures.get(queries) ?? 0) + 1;
        failures.set(queries, failed);
        const isGuardWaiting = queries.getQueryData(queryKey) === undefined;
        const isTolerable = failed < failureLimits[isGuardWaiting ? 'guard' : 'background'];
        const known = isTolerable ? await lastKnown(userId) : null;
        if (known) return known;
        throw new CheckFailedError(isGuardWaiting && isTolerable, error);
      }
    },
    placeholderData: () => {
      const remembered = rememberedSubscription<Subscription>(userId);
      const isFresh =
        remembered?.state.subscribed && Date.now() - remembered.checkedAt < freshMs && isAhead(remembered.state.subscription_end);
      return isFresh ? remembered.state : undefined;
    },
    // A check that could not leave this device says nothing of the subscription: it waits, and counts as no failure.
    networkMode: 'online',
    retry: (_, error) => error instanceof CheckFailedError && error.mayTryAgain,
    staleTime: 60_000,
    refetchInterval: ({ state: { data, status } }) =>
      status === 'success' && data?.subscribed && !data.isLastKnown ? recheckSubscribedMs : recheckMs,
    refetchIntervalInBackground: true,
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

/** The person's subscription; no data once it could not be checked too often. */
export function useSubscription() {
  const { data, isPending, isError, refetch } = useQuery(subscriptionQuery(useUser().id));
  return { data: isError ? undefined : data, isPending, isError, refetch };
}

export function useSlots() {
  return useQuery(slotsQuery(useUser().id));
}

/**
 * How many slots the person uses: what the automations leave free of the plan, below zero when it shrank. The subscription's own count
 * lags behind a deletion; it stands in until the automations have answered.
 */
export function useUsedSlots(): number {
  const { max_slots: total = 0, used_slots: known = 0 } = useSubscription().data ?? {};
  const free = useSlots().data;
  return free === undefined ? known : Math.max(0, total - free);
}
