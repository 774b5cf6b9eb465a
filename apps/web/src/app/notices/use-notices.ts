import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { toast } from 'sonner';
import { configuration } from '../../lib/configuration';
import { client, dataOf } from '../../lib/runtime';
import { useUser } from '../session';
import { useSubscription } from '../subscription';
import { addNotices, noticesOf, subscribeToNotices } from './notice-store';
import { expiring, type StoppedAutomation, stopped, welcome } from './occasions';

const pollMs = 5 * 60_000;

const stoppedQuery = (userId: string) =>
  queryOptions({
    queryKey: ['notices', userId],
    queryFn: async () => ({
      rows: dataOf(
        await client()
          .from('automations')
          .select('id,name,is_active,last_run_at,is_draft,status,status_reason')
          .eq('user_id', userId)
          .eq('is_active', false)
          .overrideTypes<StoppedAutomation[], { merge: false }>(),
      ),
      at: new Date().toISOString(),
    }),
    refetchInterval: pollMs,
    // A poll that fails is made up for by the next one.
    retry: false,
  });

/** What the person should hear of, newest first; each is also told aloud, once. */
export function useNotices() {
  const user = useUser();
  const { data: subscription } = useSubscription();
  const automations = useQuery(stoppedQuery(user.id)).data;
  const { id, created_at: createdAt } = user;
  useEffect(() => {
    const now = new Date();
    const found = [
      welcome({ id, created_at: createdAt }, configuration().productName, now),
      subscription && !subscription.isLastKnown ? expiring(subscription, now) : null,
      ...(automations?.rows ?? []).map((automation) => stopped(automation, now)),
    ].filter((occasion) => occasion !== null);
    for (const { type, title, message } of addNotices(id, found)) {
      const tell = type === 'automation_error' ? toast.error : type === 'account_expiring' ? toast.warning : toast.info;
      tell(title, { description: message });
    }
  }, [id, createdAt, subscription, automations]);
  return useSyncExternalStore(subscribeToNotices, () => noticesOf(id));
}
