import { articleAddress, type articlePublished, type PayloadOf } from '@decola/contracts';
import { OutgoingHttp } from '@decola/outgoing-http';
import type { Logger } from '@decola/service-kit';
import type { GatewayConfig } from '../config/config.js';
import type { RateLimits } from '../limits/rate-limits.js';
import type { AskBlog } from './ask-blog.js';

export type ArticleNews = PayloadOf<typeof articlePublished>;

/** Pauses before a request is repeated that search engines did not answer, or answered with 429 or 5xx. */
const usualPausesMs: readonly number[] = [10_000, 60_000];

interface IndexNowOptions {
  config: Pick<GatewayConfig, 'INDEXNOW_KEY' | 'INDEXNOW_URL' | 'OUTGOING_HTTP_HOSTS' | 'SITE_URL'>;
  limits: Pick<RateLimits, 'claimNews'>;
  askBlog: AskBlog;
  logger: Pick<Logger, 'warn'>;
  pausesMs?: readonly number[];
}

/**
 * Tells search engines the addresses of articles that were published, changed or withdrawn (indexnow.org), so that they need not wait for their next look at
 * the sitemap. One replica tells each piece of news. It is a hint: what is lost with a replica is found by the sitemap.
 */
export class IndexNow {
  private readonly http: OutgoingHttp;
  private readonly pauses = new Set<NodeJS.Timeout>();
  private isClosed = false;

  constructor(private readonly options: IndexNowOptions) {
    this.http = new OutgoingHttp({ plainHosts: options.config.OUTGOING_HTTP_HOSTS });
  }

  /** Does not wait, and never fails. Without a key it does nothing. */
  tell(news: ArticleNews): void {
    if (this.options.config.INDEXNOW_KEY === undefined) return;
    this.submit(news).catch((error: unknown) => this.warn(error, news));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const pause of this.pauses) clearTimeout(pause);
    await this.http.close();
  }

  private async submit(news: ArticleNews): Promise<void> {
    const { articleId, slug, previousSlug, at } = news;
    if (!(await this.options.limits.claimNews(`${articleId} ${at}`))) return;
    const addresses: string[] = [];
    for (const each of [slug, ...(previousSlug ? [previousSlug] : [])]) if (await this.isPublic(each)) addresses.push(articleAddress(each));
    if (addresses.length > 0) await this.post(addresses, news, 0);
  }

  /** Articles of other authors are published for people who are signed in only: the page of such an article is unknown. */
  private async isPublic(slug: string): Promise<boolean> {
    const answer = await this.options.askBlog('article', `/articles/${encodeURIComponent(slug)}`, null);
    return !answer.isUnchanged && answer.data.state !== 'unknown';
  }

  private async post(addresses: readonly string[], news: ArticleNews, repeated: number): Promise<void> {
    const { INDEXNOW_URL, INDEXNOW_KEY, SITE_URL } = this.options.config;
    const site = SITE_URL.replace(/\/+$/, '');
    const body = JSON.stringify({
      host: new URL(site).host,
      key: INDEXNOW_KEY,
      keyLocation: `${site}/${INDEXNOW_KEY}.txt`,
      urlList: addresses.map((address) => site + address),
    });
    const headers = { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Decola-IndexNow/1' };
    const answer = await this.http.call(INDEXNOW_URL, { method: 'POST', headers, body }).catch((error: unknown) => error as Error);
    if (this.isClosed || (!(answer instanceof Error) && answer.status < 300)) return;
    const refusal = answer instanceof Error ? answer : new Error(`search engines answered ${answer.status}`);
    const pauseMs = (this.options.pausesMs ?? usualPausesMs)[repeated];
    const isPassing = answer instanceof Error || answer.status === 429 || answer.status >= 500;
    if (!isPassing || pauseMs === undefined) return this.warn(refusal, news);
    const pause = setTimeout(() => {
      this.pauses.delete(pause);
      this.post(addresses, news, repeated + 1).catch((error: unknown) => this.warn(error, news));
    }, pauseMs);
    this.pauses.add(pause.unref());
  }

  private warn(error: unknown, { articleId, slug }: ArticleNews): void {
    if (!this.isClosed) this.options.logger.warn({ err: error, articleId, slug }, 'search engines were not told of an article');
  }
}
