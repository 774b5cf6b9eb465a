import type { RefreshDetail, RefreshReason } from '@decola/contracts';
import { rowOf, rowsOf } from '@decola/database';
import { lockIds } from '@decola/messaging';
import { Clock, CONFIG, Logger, periodically, type PeriodicWork } from '@decola/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { articleFromHtml } from '../articles/article-html.js';
import { dateInBrasilia, dayInBrasilia } from '../calendar/brasilia.js';
import type { BlogConfig } from '../config/config.js';
import { ArticleRefreshes } from '../customer-articles/article-refreshes.service.js';
import { staleYearOf } from '../customer-articles/stale-years.js';
import { OwnerMails } from '../mails/owner-mails.service.js';
import { refreshMailTexts, refreshTexts } from '../texts/refresh-texts.js';
import { LinkChecks } from './link-checks.service.js';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** An article that nobody has changed for so long may be out of date. */
const oldDays = 180;
/** A dismissed reason does not come back before; one that led to a new text earlier, because the text was to mend it. */
const dismissedDays = 180;
const acceptedDays = 30;
const proposeEveryMs = 10 * minuteMs;
const checkEveryMs = minuteMs;
const waitingEveryMs = 1_000;
const batch = 20;
/** When identity does not answer. */
const laterMs = minuteMs;
const mostLinksShown = 10;

interface CheckedArticle {
  id: string;
  user_id: string;
  site_key: string;
  title: string;
  content_html: string;
  created_at: Date;
  updated_at: Date;
}

/** Proposes to write articles anew that are on their owners' sites, and looks after new texts that wait for a decision. Every replica may do it. */
@Injectable()
export class RefreshWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly periodic: PeriodicWork[] = [];
  private isStopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly refreshes: ArticleRefreshes,
    private readonly links: LinkChecks,
    private readonly mails: OwnerMails,
    private readonly clock: Clock,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: BlogConfig,
  ) {}

  onApplicationBootstrap(): void {
    const onError = (error: unknown) => this.logger.error({ err: error }, 'articles that may be out of date could not be looked after');
    this.periodic.push(
      periodically(() => this.proposeDue(), { intervalMs: proposeEveryMs, onError }),
      periodically(() => this.links.checkDue(), { intervalMs: checkEveryMs, onError }),
      periodically(() => this.lookAfterWaiting(), { intervalMs: waitingEveryMs, retryMs: 5_000, onError }),
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.periodic.map((work) => work.stop()));
  }

  /** Looks at every article once a day. */
  async proposeDue(): Promise<void> {
    for (;;) {
      const before = new Date(this.clock.now().getTime() - dayMs);
      const due = await rowsOf<{ id: string; user_id: string }>(
        this.dataSource,
        `select id, user_id from customer_articles where state = 'approved' and (refresh_checked_at is null or refresh_checked_at <= $1)
         order by refresh_checked_at nulls first limit ${batch}`,
        [before],
      );
      for (const { id, user_id: userId } of due) {
        if (this.isStopped) return;
        await this.dataSource.transaction((manager) => this.proposeFor(manager, id, userId, before));
      }
      if (due.length < batch) return;
    }
  }

  /** Mails that new texts are there, and gives those up that nobody decides. */
  async lookAfterWaiting(): Promise<void> {
    await this.mailDue();
    await this.failLost();
    await this.expire();
  }

  private async proposeFor(manager: EntityManager, id: string, userId: string, before: Date): Promise<void> {
    // The same lock as the erasure's and as every decision's.
    await lockIds(manager, [userId]);
    const article = await rowOf<CheckedArticle>(
      manager,
      `select id, user_id, site_key, title, content_html, created_at, updated_at from customer_articles
       where id = $1 and state = 'approved' and (refresh_checked_at is null or refresh_checked_at <= $2) for update`,
      [id, before],
    );
    if (!article) return;
    const now = this.clock.now();
    await manager.query('update customer_articles set refresh_checked_at = $2 where id = $1', [id, now]);
    const open = await rowOf(manager, `select 1 from article_refreshes where article_id = $1 and state in ('writing', 'waiting')`, [id]);
    if (open) return;
    const reasons = (await this.isOnSite(manager, id))
      ? await this.reasonsOf(manager, article, now)
      : new Map<RefreshReason, RefreshDetail>();
    await manager.query(`delete from refresh_proposals where article_id = $1 and state = 'proposed' and reason <> all($2)`, [
      id,
      [...reasons.keys()],
    ]);
    for (const [reason, detail] of reasons) await this.propose(manager, article, reason, detail, now);
  }

  /** An article that its owner changed on the site, took back or deleted there is not ours to write anew; nor is one whose automation is gone. */
  private async isOnSite(manager: EntityManager, articleId: string): Promise<boolean> {
    const row = await rowOf(
      manager,
      `select 1 from customer_articles a join blog_automation_copies c on c.id = a.blog_automation_id
       where a.id = $1 and exists (select 1 from deliveries d where d.article_id = a.id and d.state in ('published', 'seen', 'not_seen'))
         and not exists (select 1 from deliveries d where d.article_id = a.id and d.state = 'edited_by_owner')`,
      [articleId],
    );
    return row !== undefined;
  }

  private async reasonsOf(manager: EntityManager, article: CheckedArticle, now: Date): Promise<Map<RefreshReason, RefreshDetail>> {
    const reasons = new Map<RefreshReason, RefreshDetail>();
    if (now.getTime() - article.updated_at.getTime() >= oldDays * dayMs) reasons.set('age', { since: article.updated_at.toISOString() });
    const dead = await this.links.keep(manager, article);
    if (dead.length > 0) reasons.set('dead_links', { links: dead.slice(0, mostLinksShown) });
    const yearOf = (at: Date) => Number(dayInBrasilia(at).slice(0, 4));
    const { text } = articleFromHtml(article.content_html);
    const stale = staleYearOf({ title: article.title, text }, { writtenIn: yearOf(article.created_at), now: yearOf(now) });
    if (stale) reasons.set('stale_year', { year: stale.year, quote: stale.quote });
    return reasons;
  }

  private async propose(
    manager: EntityManager,
    { id, user_id: userId }: CheckedArticle,
    reason: RefreshReason,
    detail: RefreshDetail,
    now: Date,
  ): Promise<void> {
    const ago = (days: number) => new Date(now.getTime() - days * dayMs);
    await manager.query(
      `insert into refresh_proposals as p (user_id, article_id, reason, detail, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)
       on conflict on constraint refresh_proposals_once do update set state = 'proposed', detail = excluded.detail, decided_at = null,
         created_at = case when p.state = 'proposed' then p.created_at else excluded.created_at end, updated_at = excluded.updated_at
       where (p.state = 'proposed' and p.detail <> excluded.detail) or (p.state = 'dismissed' and p.decided_at <= $6)
         or (p.state = 'accepted' and p.decided_at <= $7)`,
      [userId, id, reason, JSON.stringify(detail), now, ago(dismissedDays), ago(acceptedDays)],
    );
  }

  private async mailDue(): Promise<void> {
    const due = await rowsOf<{ id: string; user_id: string }>(
      this.dataSource,
      `select id, user_id from article_refreshes where mail_due_at <= $1 order by mail_due_at limit ${batch}`,
      [this.clock.now()],
    );
    for (const { id, user_id: userId } of due) {
      try {
        const to = await this.mails.addressOf(userId);
        await this.dataSource.transaction((manager) => this.mail(manager, id, userId, to));
      } catch (error) {
        this.logger.warn({ err: error, refresh: id }, 'the mail that tells of a new text is late');
        await this.dataSource.query('update article_refreshes set mail_due_at = $2 where id = $1 and mail_due_at is not null', [
          id,
          new Date(this.clock.now().getTime() + laterMs),
        ]);
      }
    }
  }

  private async mail(manager: EntityManager, id: string, userId: string, to: string | null): Promise<void> {
    await lockIds(manager, [userId]);
    const refresh = await rowOf<{ until: Date; article: string; site_key: string }>(
      manager,
      `update article_refreshes r set mail_due_at = null from customer_articles a
       where r.id = $1 and a.id = r.article_id and r.state = 'waiting' and r.mail_due_at <= $2 returning r.until, a.title as article, a.site_key`,
      [id, this.clock.now()],
    );
    if (!refresh || to === null) return;
    const texts = refreshMailTexts;
    await this.mails.queue(manager, userId, {
      ...{ to, kind: 'article_refresh', waitingRefreshId: id },
      content: {
        subject: texts.subject(refresh.article),
        sign: texts.sign,
        lead: texts.lead(refresh.site_key, dateInBrasilia(refresh.until)),
        button: { label: texts.button, href: new URL('/artigos', this.config.SITE_URL).href },
        code: null,
        footer: texts.footer,
      },
    });
  }

  /** A run that a replica of an older release has ended brings no text. */
  private async failLost(): Promise<void> {
    const lost = await rowsOf<{ run_id: string; user_id: string; reason: string | null }>(
      this.dataSource,
      `select f.run_id, f.user_id, r.reason from article_refreshes f join article_runs r on r.id = f.run_id
       where f.state = 'writing' and r.state in ('skipped', 'failed') limit ${batch}`,
    );
    for (const { run_id: runId, user_id: userId, reason } of lost)
      await this.dataSource.transaction(async (manager) => {
        await lockIds(manager, [userId]);
        await this.refreshes.fail(manager, runId, reason ?? '');
      });
  }

  private async expire(): Promise<void> {
    const overdue = await rowsOf<{ run_id: string; user_id: string }>(
      this.dataSource,
      `select run_id, user_id from article_refreshes where state = 'waiting' and until <= $1 limit ${batch}`,
      [this.clock.now()],
    );
    for (const { run_id: runId, user_id: userId } of overdue) {
      await this.dataSource.transaction(async (manager) => {
        await lockIds(manager, [userId]);
        const now = this.clock.now();
        const late = await rowOf(manager, `select 1 from article_refreshes where run_id = $1 and state = 'waiting' and until <= $2`, [
          runId,
          now,
        ]);
        if (!late) return;
        await this.refreshes.discard(manager, runId, refreshTexts.expired);
        await manager.query(
          `update article_runs set state = 'expired', reason_code = 'expired', reason = $2, updated_at = $3 where id = $1`,
          [...[runId, refreshTexts.expired, now]],
        );
      });
    }
  }
}
