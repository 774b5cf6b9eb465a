import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router-dom';
import { client, unwrap } from '../../lib/api-client';
import { configuration } from '../../lib/configuration';
import { livePolling } from '../../lib/live-state';
import { toast } from '../../lib/toast';
import { useUser } from '../../session/session';
import { useSubscription } from '../../session/subscription';
import { addNotices, noticesOf, subscribeToNotices } from './notice-store';
import { expiring, stopped, type StoppedAutomation, welcome } from './occasions';
import { occasionTexts as texts } from './texts';

const pollMs = 5 * 60_000;

const automationColumns = 'id,name,is_active,last_run_at,is_draft,status,status_reason,pause_cause,instagram_account_id,session_account';

interface BlogRow {
  id: string;
  keyword: string;
  /** Why the system switched the automation off; null when its owner did. */
  pause_reason: string | null;
  last_generated_at: string | null;
}

/** Converts a blog automation to the shape of the others; it has neither account nor draft state. */
const stoppedBlog = ({ id, keyword, pause_reason: reason, last_generated_at: lastRunAt }: BlogRow): StoppedAutomation => ({
  id,
  name: texts.blogName(keyword),
  is_active: false,
  is_draft: false,
  status: 'paused',
  status_reason: reason,
  last_run_at: lastRunAt,
  pause_cause: null,
  instagram_account_id: null,
  session_account: null,
});

const stoppedQuery = (userId: string) =>
  queryOptions({
    queryKey: ['notices', userId],
    queryFn: async () => {
      const inactive = (table: string, columns: string) =>
        client().from(table).select(columns).eq('user_id', userId).eq('is_active', false);
      const [automations, blogs] = await Promise.all([
        inactive('automations', automationColumns).overrideTypes<StoppedAutomation[], { merge: false }>(),
        inactive('blog_automations', 'id,keyword,pause_reason,last_generated_at').overrideTypes<BlogRow[], { merge: false }>(),
      ]);
      return { rows: [...unwrap(automations), ...unwrap(blogs).map(stoppedBlog)], at: new Date().toISOString() };
    },
    meta: { tables: ['automations', 'blog_automations'] },
    refetchInterval: () => livePolling(pollMs),
    // The next poll replaces a failed one.
    retry: false,
  });

/**
 * The person's notices, newest first; a new one is also shown as a toast, once. Faults of automations give no toast on the dashboard, which tells them
 * itself, and their toasts close when the fault has gone.
 */
export function useNotices() {
  const user = useUser();
  const { data: subscription } = useSubscription();
  const automations = useQuery(stoppedQuery(user.id)).data;
  const { id, created_at: createdAt } = user;
  const isOnDashboard = useLocation().pathname === '/adm';
  const shownFaults = useRef(new Set<string>());
  useEffect(() => {
    const now = new Date();
    const found = [
      welcome({ id, created_at: createdAt }, configuration().productName, now),
      subscription && !subscription.isLastKnown ? expiring(subscription, now) : null,
      ...stopped(automations?.rows ?? [], now),
    ].filter((occasion) => occasion !== null);
    for (const { id: noticeId, type, title, message } of addNotices(id, found)) {
      const isFault = type === 'automation_error';
      if (isFault && isOnDashboard) continue;
      if (isFault) shownFaults.current.add(noticeId);
      const show = isFault ? toast.error : type === 'account_expiring' ? toast.warning : toast.info;
      show(title, { id: noticeId, description: message });
    }
    for (const fault of shownFaults.current) {
      if (!isOnDashboard && found.some(({ id: foundId }) => foundId === fault)) continue;
      toast.dismiss(fault);
      shownFaults.current.delete(fault);
    }
  }, [id, createdAt, subscription, automations, isOnDashboard]);
  return useSyncExternalStore(subscribeToNotices, () => noticesOf(id));
}
