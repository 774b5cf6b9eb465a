import type { ArticleRun, BlogAutomationSettings, CustomerArticle, Delivery } from '@decola/contracts';
import { isOpenRun } from '@decola/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '../../lib/api-client';
import { blogAutomationsOf } from '../../lib/blog-automations';
import { livePolling } from '../../lib/live-state';
import { readIfThere } from '../customer-sites/sites';

/** A customer's automation of articles, as this page reads it. */
export interface ArticleAutomation {
  id: string;
  origin?: 'customer' | 'editorial';
  keyword: string;
  webhook_url: string | null;
  schedule_time: string | null;
  schedule_days: number[] | null;
  schedule_type: string;
  is_active: boolean;
  is_draft?: boolean;
  next_generation_at: string | null;
  last_generated_at: string | null;
  pause_reason: string | null;
  problem_reason?: string | null;
  settings?: BlogAutomationSettings | null;
  created_at: string;
}

/** What the diary shows of an article; its text is read when somebody opens it. */
export type DiaryArticle = Pick<
  CustomerArticle,
  'id' | 'run_id' | 'title' | 'state' | 'reason' | 'approval_until' | 'publish_mode' | 'site_key' | 'claims' | 'created_at' | 'updated_at'
>;

/** A run with the article that it wrote, and the delivery of that. */
export interface Entry {
  run: ArticleRun;
  article: DiaryArticle | null;
  delivery: Delivery | null;
}

export const pageSize = 50;
const articleColumns = 'id,run_id,title,state,reason,approval_until,publish_mode,site_key,claims,created_at,updated_at';

/** How often the diary is read: while an article is being written or sent, and otherwise. */
const openPollMs = 2_000;
const livePollMs = 5_000;
const slowPollMs = 30_000;

const sendingStates: ReadonlySet<string> = new Set(['pending', 'preparing', 'illustrating', 'publishing']);
const isMoving = ({ run, article, delivery }: Entry): boolean =>
  isOpenRun(run.state) ||
  article?.state === 'rewriting' ||
  (delivery !== null && sendingStates.has(delivery.state) && delivery.code === null);

/** A page of the diary. @param before the `created_at` of the last run of the page before */
export async function readEntries(userId: string, automationId: string | null, before: string | null): Promise<Entry[]> {
  const mine = client().from('article_runs').select('*').eq('user_id', userId).eq('origin', 'customer').is('refreshes_run_id', null);
  const chosen = automationId === null ? mine : mine.eq('blog_automation_id', automationId);
  // The writing of a new text for an article is shown with the article (`refresh-data.ts`).
  const asked = (before === null ? chosen : chosen.lt('created_at', before)).order('created_at', { ascending: false }).limit(pageSize);
  const runs = unwrap(await asked.overrideTypes<ArticleRun[], { merge: false }>());
  if (runs.length === 0) return [];
  const articles = await readIfThere(async () =>
    unwrap(
      await client()
        .from('customer_articles')
        .select(articleColumns)
        .in(
          'run_id',
          runs.map(({ id }) => id),
        )
        .overrideTypes<DiaryArticle[], { merge: false }>(),
    ),
  );
  const deliveries =
    articles.length === 0
      ? []
      : await readIfThere(async () =>
          unwrap(
            await client()
              .from('deliveries')
              .select('*')
              .in(
                'article_id',
                articles.map(({ id }) => id),
              )
              .overrideTypes<Delivery[], { merge: false }>(),
          ),
        );
  const ofRun = new Map(articles.map((article) => [article.run_id, article]));
  const ofArticle = new Map(deliveries.map((delivery) => [delivery.article_id, delivery]));
  return runs.map((run) => {
    const article = ofRun.get(run.id) ?? null;
    return { run, article, delivery: (article && ofArticle.get(article.id)) ?? null };
  });
}

/** The customer's articles, newest first, page by page. @param automationId only those of this automation */
export const entriesQuery = (userId: string, automationId: string | null) =>
  infiniteQueryOptions({
    queryKey: ['article_runs', userId, 'customer', automationId],
    meta: { tables: ['article_runs', 'customer_articles', 'deliveries'] },
    queryFn: ({ pageParam }) => readEntries(userId, automationId, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.length < pageSize ? null : (last.at(-1)?.run.created_at ?? null)),
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.some(isMoving)) ? livePolling(openPollMs, livePollMs) : livePolling(slowPollMs),
  });

/** The text of an article. */
export const contentQuery = (articleId: string) =>
  queryOptions({
    queryKey: ['customer_articles', articleId, 'content'],
    queryFn: async () =>
      unwrap(
        await client()
          .from('customer_articles')
          .select('id,title,content_html,claims,revision,publish_mode,state')
          .eq('id', articleId)
          .single<Pick<CustomerArticle, 'id' | 'title' | 'content_html' | 'claims' | 'revision' | 'publish_mode' | 'state'>>(),
      ),
  });

/** The customer's automations of articles for their own sites, newest first. The key is that of the dashboard's list of all of them. */
export const articleAutomationsQuery = (userId: string) =>
  queryOptions({
    ...blogAutomationsOf<ArticleAutomation>(userId),
    select: (rows) => rows.filter(({ origin }) => origin !== 'editorial'),
    refetchInterval: () => livePolling(slowPollMs),
  });
