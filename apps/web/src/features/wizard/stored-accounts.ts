import type { z } from 'zod';
import type { instagramSessionRow } from '@decola/contracts';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { client, unwrap } from '../../lib/api-client';
import { type InstagramAccount, instagramAccountsQuery, usePasteSession } from '../instagram-accounts/stopped-accounts';

type StoredSession = Pick<z.infer<typeof instagramSessionRow>, 'id' | 'network_user_id' | 'checked_at'>;

/** An account that the customer connected before. */
export interface OfferedAccount {
  account: InstagramAccount;
  /** Id of the account's session, which an automation refers to; null when the account needs a new session. */
  sessionId: string | null;
  /** When a check last found the session valid. */
  checkedAt: string | null;
}

const readSessions = async (userId: string) =>
  unwrap(
    await client()
      .from('instagram_sessions')
      .select('id,network_user_id,checked_at')
      .eq('user_id', userId)
      .eq('is_active', true)
      .overrideTypes<StoredSession[], { merge: false }>(),
  );

/** The customer's accounts, and which of them have a session. When the request fails (`isFailed`), the customer can still paste a session. */
export function useOfferedAccounts(
  userId: string,
  isNeeded: boolean,
): { offered: OfferedAccount[]; isPending: boolean; isRefreshing: boolean; isFailed: boolean } {
  const accounts = useQuery({ ...instagramAccountsQuery(userId), enabled: isNeeded });
  const states = accounts.data?.map(({ id, state }) => `${id} ${state}`);
  const sessions = useQuery({
    // `states` is part of the key, so that a change of an account, such as a session pasted in another window, refetches the sessions.
    queryKey: ['instagram_sessions', userId, states],
    queryFn: () => readSessions(userId),
    enabled: isNeeded && states !== undefined && states.length > 0,
    placeholderData: keepPreviousData,
  });
  const offered = (accounts.data ?? []).map((account) => {
    const session = sessions.data?.find(({ network_user_id }) => network_user_id !== null && network_user_id === account.network_user_id);
    return { account, sessionId: session?.id ?? null, checkedAt: session?.checked_at ?? null };
  });
  return {
    offered,
    isPending: isNeeded && (accounts.isPending || (offered.length > 0 && sessions.isPending)),
    /** The sessions shown are those before the last change of an account. */
    isRefreshing: sessions.isPlaceholderData,
    isFailed: accounts.isLoadingError,
  };
}

/** Value of the choice for an account that is not stored and whose session is pasted. */
export const newAccount = 'new';

/**
 * Stores a pasted session before the automation is saved, so that its check runs while the customer goes on. `store` resolves when the account is
 * among the offered ones.
 */
export function useStoreSession(userId: string) {
  const queryClient = useQueryClient();
  const paste = usePasteSession(userId);
  const store = async (cookies: string, networkUserId: string): Promise<void> => {
    await paste.mutateAsync({ cookies, networkUserId });
    await Promise.all(
      ['instagram_accounts', 'instagram_sessions'].map((table) => queryClient.invalidateQueries({ queryKey: [table, userId] })),
    );
  };
  return { store, isStoring: paste.isPending };
}
