import type { InstagramAccountRow } from '@decola/contracts';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, client, unwrap } from '../../lib/api-client';
import { livePolling } from '../../lib/live-state';

/** Columns of an account that the pages show. */
export type InstagramAccount = Pick<
  InstagramAccountRow,
  | 'id'
  | 'network_user_id'
  | 'username'
  | 'state'
  | 'check_state'
  | 'paused_until'
  | 'pause_cause'
  | 'pause_reason'
  | 'resolved_at'
  | 'next_check_at'
  | 'revives'
  | 'quiet_from'
  | 'quiet_to'
  | 'time_zone'
  | 'warmup_day'
  | 'warmup_days'
  | 'session_checked_at'
  | 'halved_until'
>;

const columns =
  'id,network_user_id,username,state,check_state,paused_until,pause_cause,pause_reason,resolved_at,next_check_at,revives,quiet_from,quiet_to,time_zone,warmup_day,warmup_days,session_checked_at,halved_until';

/** Causes that only the customer can resolve, in their own browser. */
const resolvableCauses: ReadonlySet<string | null> = new Set(['challenge', 'suspended']);

export const isResolvableByCustomer = (cause: string | null): boolean => resolvableCauses.has(cause);

const pollMs = 15_000;
const slowPollMs = 60_000;

export const instagramAccountsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['instagram_accounts', userId],
    queryFn: async () =>
      unwrap(
        await client()
          .from('instagram_accounts')
          .select(columns)
          .eq('user_id', userId)
          // The first account is shown until the customer picks one: it must stay the first.
          .order('created_at')
          .overrideTypes<InstagramAccount[], { merge: false }>(),
      ),
    // A pause also ends by the clock.
    refetchInterval: () => livePolling(pollMs, slowPollMs),
  });

/**
 * The account, while its stop waits for the customer.
 * @param cause why the automation of the account was switched off; without a resolvable cause, no request is sent
 */
export function useStoppedAccount(userId: string, id: string | null, cause: string | null): InstagramAccount | undefined {
  const accounts = useQuery({ ...instagramAccountsQuery(userId), enabled: id !== null && isResolvableByCustomer(cause) });
  return isResolvableByCustomer(cause)
    ? accounts.data?.find((account) => account.id === id && isResolvableByCustomer(account.pause_cause))
    : undefined;
}

/** What a customer may set of their account. The server replaces the timestamp of `resolved_at` with its own. */
export interface AccountChange {
  id: string;
  patch: Partial<Pick<InstagramAccount, 'quiet_from' | 'quiet_to' | 'paused_until' | 'resolved_at'>>;
}

/** Changes settings of an account, and shows what the server stored. */
export function useChangeAccount(userId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, patch }: AccountChange): Promise<InstagramAccount> => {
      const [account] = unwrap(
        await client()
          .from('instagram_accounts')
          .update(patch)
          .eq('id', id)
          .select(columns)
          .overrideTypes<InstagramAccount[], { merge: false }>(),
      );
      if (!account) throw new ApiError('');
      return account;
    },
    onSuccess: (account) =>
      queryClient.setQueryData(instagramAccountsQuery(userId).queryKey, (rows) =>
        rows?.map((row) => (row.id === account.id ? account : row)),
      ),
    onSettled: () => refreshAccounts(queryClient, userId),
  });
}

/** Stores a new session of an account, for all of its automations; the server checks it and resumes them. */
export function usePasteSession(userId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ cookies, networkUserId }: { cookies: string; networkUserId: string }) => {
      unwrap(
        await client()
          .from('instagram_sessions')
          .insert({
            user_id: userId,
            session_id: crypto.randomUUID(),
            cookies: { raw_cookie: cookies },
            username: networkUserId,
            is_active: true,
          })
          .select('id'),
      );
    },
    onSuccess: () => refreshAccounts(queryClient, userId),
  });
}

/**
 * Refetches accounts, their pauses and automations, since the list of automations shows stopped accounts too; also after a refusal, which means that the page is outdated.
 * Does not refetch the automation that is being edited, because that would overwrite what the customer types.
 */
function refreshAccounts(queryClient: ReturnType<typeof useQueryClient>, userId: string): void {
  for (const table of ['instagram_accounts', 'automations', 'account_pauses'])
    void queryClient.invalidateQueries({ queryKey: [table, userId] });
}
