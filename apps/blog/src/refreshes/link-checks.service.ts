import { type Database, rowsOf } from '@decola/database';
import { OutgoingCallError, OutgoingHttp } from '@decola/outgoing-http';
import { Clock, CONFIG } from '@decola/service-kit';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { linksOfHtml } from '../articles/links-of-html.js';
import { dayInBrasilia } from '../calendar/brasilia.js';
import type { BlogConfig } from '../config/config.js';
import { judgeFailure, judgeStatus, linkAfter, type LinkVerdict } from './judge-link.js';

const weekMs = 7 * 24 * 60 * 60 * 1000;
/** Links of one article that are checked; the first ones. */
const perArticle = 30;
/** Checks of a day for the articles of one customer's site, and of pages of one host, whoever links to it. */
const perSiteAndDay = 20;
const perHostAndDay = 20;
/** Checks of one turn. */
const perTurn = 20;
const longestUrl = 2_000;
/** Key of the lock under which links are chosen, so that replicas together keep the numbers of a day. */
const choosingLock = 6_403_511;

interface DueLink {
  article_id: string;
  url: string;
  dead_since: string | null;
  is_dead: boolean;
}

/** Looks once a week whether the pages of other sites are there to which articles link. */
@Injectable()
export class LinkChecks implements OnApplicationShutdown {
  private readonly http: OutgoingHttp;

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    @Inject(CONFIG) { OUTGOING_HTTP_HOSTS }: Pick<BlogConfig, 'OUTGOING_HTTP_HOSTS'>,
  ) {
    this.http = new OutgoingHttp({ plainHosts: OUTGOING_HTTP_HOSTS });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.http.close();
  }

  /** Remembers the links of an article, and forgets those that it has no more. @returns its dead ones */
  async keep(db: Database, article: { id: string; user_id: string; site_key: string; content_html: string }): Promise<string[]> {
    const urls = linksOfHtml(article.content_html, `https://${article.site_key}`)
      .filter(({ isOutside, href }) => isOutside && href.length <= longestUrl && this.http.problemOf(href) === null)
      .slice(0, perArticle)
      .map(({ href }) => href);
    await db.query('delete from article_links where article_id = $1 and url <> all($2)', [article.id, urls]);
    await db.query(
      `insert into article_links (user_id, article_id, site_key, url, host, next_check_at)
       select $1, $2, $3, l.url, l.host, $4 from unnest($5::text[], $6::text[]) l (url, host) on conflict do nothing`,
      [article.user_id, article.id, article.site_key, this.clock.now(), urls, urls.map((url) => new URL(url).hostname)],
    );
    const dead = await rowsOf<{ url: string }>(db, 'select url from article_links where article_id = $1 and is_dead order by url', [
      article.id,
    ]);
    return dead.map(({ url }) => url);
  }

  /** Checks links whose week is over. @returns how many */
  async checkDue(): Promise<number> {
    const due = await this.choose();
    for (const link of due) await this.store(link, await this.verdictOf(link.url));
    return due.length;
  }

  /** Takes due links. The week begins anew before the call, so that a link is called once a week at most, also when this replica is killed. */
  private choose(): Promise<DueLink[]> {
    return this.dataSource.transaction(async (manager) => {
      await manager.query('select pg_advisory_xact_lock($1)', [choosingLock]);
      const now = this.clock.now();
      return rowsOf<DueLink>(
        manager,
        `with today as (select user_id, site_key, host from article_links where checked_on = $2),
         of_sites as (select user_id, site_key, count(*) as n from today group by 1, 2),
         of_hosts as (select host, count(*) as n from today group by 1),
         due as (
           select l.article_id, l.url, coalesce(s.n, 0) + row_number() over (partition by l.user_id, l.site_key order by l.next_check_at, l.url) as in_site,
             coalesce(h.n, 0) + row_number() over (partition by l.host order by l.next_check_at, l.url) as in_host
           from article_links l left join of_sites s using (user_id, site_key) left join of_hosts h using (host)
           where l.next_check_at <= $1),
         chosen as (select article_id, url from due where in_site <= $4 and in_host <= $5 limit $6)
         update article_links l set next_check_at = $3, checked_on = $2 from chosen c where l.article_id = c.article_id and l.url = c.url
         returning l.article_id, l.url, l.dead_since::text, l.is_dead`,
        [now, dayInBrasilia(now), new Date(now.getTime() + weekMs), perSiteAndDay, perHostAndDay, perTurn],
      );
    });
  }

  private async verdictOf(url: string): Promise<LinkVerdict> {
    try {
      const { status } = await this.http.call(url, {
        method: 'GET',
        headers: { accept: 'text/html,*/*;q=0.5', 'user-agent': 'Decola-Links/1' },
        followsSameSite: true,
      });
      return judgeStatus(status);
    } catch (error) {
      if (error instanceof OutgoingCallError) return judgeFailure(error.failure, error.cause);
      throw error;
    }
  }

  private async store(
    { article_id: articleId, url, dead_since: deadSince, is_dead: isDead }: DueLink,
    verdict: LinkVerdict,
  ): Promise<void> {
    const next = linkAfter({ deadSince, isDead }, verdict, dayInBrasilia(this.clock.now()));
    if (next.deadSince === deadSince && next.isDead === isDead) return;
    await this.dataSource.transaction(async (manager) => {
      await manager.query('update article_links set dead_since = $3, is_dead = $4 where article_id = $1 and url = $2', [
        ...[articleId, url, next.deadSince, next.isDead],
      ]);
      // The article is looked at again at once.
      if (next.isDead !== isDead) await manager.query('update customer_articles set refresh_checked_at = null where id = $1', [articleId]);
    });
  }
}
