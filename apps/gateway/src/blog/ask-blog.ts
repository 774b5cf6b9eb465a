import type { SiteArticleAnswer, SiteArticleList, SiteFeed } from '@decola/contracts';
import pTimeout from 'p-timeout';
import type { GatewayConfig } from '../config/config.js';
import type { ServiceAgent } from '../proxy/service-agent.js';
import { serviceUrl } from '../routing/routes.js';

/** After this time the page is sent without the articles, or with those of before. */
const patienceMs = 4_000;

/** What blog can be asked for a page (`libs/contracts/src/articles/site-answers.ts`), by path. */
interface Answers {
  articles: SiteArticleList;
  article: SiteArticleAnswer;
  feed: SiteFeed;
}

export type BlogAnswer<Kind extends keyof Answers> =
  | { isUnchanged: true }
  | { isUnchanged: false; data: Answers[Kind]; etag: string | null };

/**
 * Asks blog for what a page shows.
 * @param path below `/internal/site`, with its query
 * @param etag of the answer that is known already; null without one
 * @throws Error when blog does not answer in time, or not with 200 or 304
 */
export type AskBlog = <Kind extends keyof Answers>(kind: Kind, path: string, etag: string | null) => Promise<BlogAnswer<Kind>>;

export function createAskBlog(config: GatewayConfig, agent: ServiceAgent): AskBlog {
  const ask = async <Kind extends keyof Answers>(path: string, known: string | null): Promise<BlogAnswer<Kind>> => {
    const { statusCode, headers, body } = await agent.request({
      origin: serviceUrl(config, 'blog'),
      path: `/internal/site${path}`,
      method: 'GET',
      isRepeatable: true,
      headers: known === null ? {} : { 'if-none-match': known },
      signal: AbortSignal.timeout(patienceMs),
    });
    const text = await body.text();
    if (statusCode === 304 && known !== null) return { isUnchanged: true };
    if (statusCode !== 200) throw new Error(`blog answered ${statusCode}`);
    const etag = headers['etag'];
    return { isUnchanged: false, data: JSON.parse(text) as Answers[Kind], etag: typeof etag === 'string' ? etag : null };
  };
  // The request cannot be aborted while it waits for a free connection.
  return (_kind, path, etag) => pTimeout(ask(path, etag), { milliseconds: patienceMs });
}
