import type { ArticleRefresh, ArticleRun, RefreshProposal } from '@decola/contracts';
import { queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '../../lib/api-client';
import { livePolling } from '../../lib/live-state';
import { readIfThere } from '../customer-sites/sites';

/** A new text as the list shows it; the text itself is read when somebody opens it. */
export type ListedRefresh = Pick<ArticleRefresh, 'id' | 'article_id' | 'run_id' | 'state' | 'problem' | 'until' | 'created_at'>;

/** An article that should be written anew, or is being. */
export interface Refresh {
  articleId: string;
  title: string;
  blogAutomationId: string;
  /** Why; empty while its new text is being written or waits. */
  proposals: readonly Pick<RefreshProposal, 'id' | 'reason' | 'detail'>[];
  /** The newest new text, while it is being written, waits or could not be written. */
  text: ListedRefresh | null;
  /** How far the writing is. */
  run: Pick<ArticleRun, 'state' | 'progress' | 'retry_at'> | null;
}

const mostRows = 100;
const openPollMs = 2_000;
const livePollMs = 5_000;
const slowPollMs = 60_000;

type ArticleTitle = { id: string; title: string; blog_automation_id: string };

async function readRefreshes(userId: string): Promise<Refresh[]> {
  const [proposals, texts] = await Promise.all([
    readIfThere(async () =>
      unwrap(
        await client()
          .from('refresh_proposals')
          .select('id,article_id,reason,detail')
          .eq('user_id', userId)
          .eq('state', 'proposed')
          .order('created_at')
          .limit(mostRows)
          .overrideTypes<Pick<RefreshProposal, 'id' | 'article_id' | 'reason' | 'detail'>[], { merge: false }>(),
      ),
    ),
    readIfThere(async () =>
      unwrap(
        await client()
          .from('article_refreshes')
          .select('id,article_id,run_id,state,problem,until,created_at')
          .eq('user_id', userId)
          .in('state', ['writing', 'waiting', 'failed'])
          .order('created_at', { ascending: false })
          .limit(mostRows)
          .overrideTypes<ListedRefresh[], { merge: false }>(),
      ),
    ),
  ]);
  const open = texts.filter(({ state }) => state !== 'failed');
  const ids = [...new Set([...open, ...proposals].map(({ article_id: id }) => id))];
  if (ids.length === 0) return [];
  const writing = open.filter(({ state }) => state === 'writing').map(({ run_id: id }) => id);
  const [articles, runs] = await Promise.all([
    client()
      .from('customer_articles')
      .select('id,title,blog_automation_id')
      .in('id', ids)
      .overrideTypes<ArticleTitle[], { merge: false }>(),
    writing.length === 0
      ? null
      : client()
          .from('article_runs')
          .select('id,state,progress,retry_at')
          .in('id', writing)
          .overrideTypes<Pick<ArticleRun, 'id' | 'state' | 'progress' | 'retry_at'>[], { merge: false }>(),
  ]);
  const ofId = new Map(unwrap(articles).map((article) => [article.id, article]));
  const ofRun = new Map((runs === null ? [] : unwrap(runs)).map((run) => [run.id, run]));
  return ids.flatMap((id) => {
    const article = ofId.get(id);
    if (!article) return [];
    const text = texts.find(({ article_id: of }) => of === id) ?? null;
    return {
      articleId: id,
      title: article.title,
      blogAutomationId: article.blog_automation_id,
      proposals: proposals.filter(({ article_id: of }) => of === id),
      text,
      run: (text && ofRun.get(text.run_id)) ?? null,
    };
  });
}

/** The customer's articles that should be written anew, those that need a decision first. */
export const refreshesQuery = (userId: string) =>
  queryOptions({
    queryKey: ['refresh_proposals', userId],
    meta: { tables: ['refresh_proposals', 'article_refreshes', 'article_runs', 'customer_articles'] },
    queryFn: () => readRefreshes(userId),
    refetchInterval: ({ state }) =>
      state.data?.some(({ text }) => text?.state === 'writing') ? livePolling(openPollMs, livePollMs) : livePolling(slowPollMs),
  });

/** A new text that waits. */
export const refreshTextQuery = (id: string) =>
  queryOptions({
    queryKey: ['article_refreshes', id, 'content'],
    queryFn: async () =>
      unwrap(
        await client()
          .from('article_refreshes')
          .select('id,title,content_html,claims,state')
          .eq('id', id)
          .single<Pick<ArticleRefresh, 'id' | 'title' | 'content_html' | 'claims' | 'state'>>(),
      ),
  });
