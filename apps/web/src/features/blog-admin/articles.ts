import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { client, requireChangedRow, unwrap } from '../../lib/api-client';
import { livePolling } from '../../lib/live-state';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import type { CalendarArticle } from './calendar';
import { reloadList } from './list-page';
import { calendarTexts as texts } from './texts';

const mostArticles = 1_000;
const slowPollMs = 15_000;

/** Articles of our own blog, drafts too, that were written or published between two instants. */
export const articlesBetweenQuery = (userId: string, from: Date, to: Date) => {
  const inside = (column: string) => `and(${column}.gte.${from.toISOString()},${column}.lt.${to.toISOString()})`;
  return queryOptions({
    queryKey: ['blog_articles', userId, from.toISOString(), to.toISOString()],
    // Changes of articles are not announced, but those of the runs that write them are.
    meta: { tables: ['article_runs'] },
    refetchInterval: () => livePolling(slowPollMs),
    queryFn: async () =>
      unwrap(
        await client()
          .from('blog_articles')
          .select('id,slug,title,published,published_at,created_at')
          .or(`${inside('created_at')},${inside('published_at')}`)
          .order('created_at')
          .limit(mostArticles)
          .overrideTypes<CalendarArticle[], { merge: false }>(),
      ),
  });
};

/** The text of one article, as the server has cleaned it. */
export const articleContentQuery = (id: string) =>
  queryOptions({
    queryKey: ['blog_articles', 'content', id],
    queryFn: async () =>
      unwrap(
        await client().from('blog_articles').select('content').eq('id', id).single().overrideTypes<{ content: string }, { merge: false }>(),
      ),
  });

/** Publishes a draft, and says in a toast how that went. */
export function usePublishArticle() {
  const queryClient = useQueryClient();
  const failureToast = useErrorToast();
  return useMutation({
    mutationFn: async (id: string) => {
      requireChangedRow(await client().from('blog_articles').update({ published: true }).eq('id', id).select('id'));
    },
    onMutate: () => failureToast.clear(),
    onSuccess: () => {
      toast.success(texts.published);
      void reloadList();
    },
    onError: (error) => failureToast.show(texts.publishFailed, { description: error.message || undefined }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['blog_articles'] }),
  });
}
