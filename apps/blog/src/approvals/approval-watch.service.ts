import { waitingArticleStates } from '@decola/contracts';
import { rowOf, rowsOf } from '@decola/database';
import { lockIds } from '@decola/messaging';
import { Clock, CONFIG, Logger, periodically, type PeriodicWork } from '@decola/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { BlogConfig } from '../config/config.js';
import type { OwnerMail } from '../mails/owner-mail.js';
import { OwnerMails } from '../mails/owner-mails.service.js';
import { approvalMailTexts, approvalTexts } from '../texts/approval-texts.js';
import { ArticleRuns } from '../writing/article-runs.service.js';
import { dateInBrasilia } from '../calendar/brasilia.js';
import { ApprovalLinks } from './approval-links.service.js';

const intervalMs = 1_000;
const batch = 20;
const reminderMs = 24 * 60 * 60 * 1000;
/** When identity does not answer. */
const laterMs = 60_000;
/** Links outlive their articles' decision for a while, so that their page can tell it. */
const linkDays = 30;

interface DueMail {
  id: string;
  user_id: string;
  title: string;
  site_key: string;
  approval_until: Date;
  mails: number;
}

/** Asks owners by mail for their approval, reminds them once, and gives up articles that nobody decides. Every replica may do it. */
@Injectable()
export class ApprovalWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly periodic: PeriodicWork[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly links: ApprovalLinks,
    private readonly mails: OwnerMails,
    private readonly runs: ArticleRuns,
    private readonly clock: Clock,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: BlogConfig,
  ) {}

  onApplicationBootstrap(): void {
    const onError = (error: unknown) => this.logger.error({ err: error }, 'articles that wait for their owners could not be looked after');
    this.periodic.push(
      periodically(() => this.mailDue(), { intervalMs, retryMs: 5_000, onError }),
      periodically(() => this.expire(), { intervalMs, retryMs: 5_000, onError }),
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.periodic.map((work) => work.stop()));
  }

  /** Queues the mails that are due. */
  async mailDue(): Promise<void> {
    const due = await rowsOf<{ id: string; user_id: string }>(
      this.dataSource,
      `select id, user_id from customer_articles where mail_due_at <= $1 order by mail_due_at limit ${batch}`,
      [this.clock.now()],
    );
    for (const { id, user_id: userId } of due) {
      try {
        const to = await this.mails.addressOf(userId);
        await this.dataSource.transaction((manager) => this.mail(manager, id, userId, to));
      } catch (error) {
        this.logger.warn({ err: error, article: id }, 'the mail that asks for an approval is late');
        await this.dataSource.query('update customer_articles set mail_due_at = $2 where id = $1 and mail_due_at is not null', [
          id,
          new Date(this.clock.now().getTime() + laterMs),
        ]);
      }
    }
  }

  /** Ends articles that nobody decided in time. */
  async expire(): Promise<void> {
    const now = this.clock.now();
    const overdue = await rowsOf<{ id: string; user_id: string }>(
      this.dataSource,
      `select id, user_id from customer_articles where approval_until <= $1 and state = any($2) limit ${batch}`,
      [now, waitingArticleStates],
    );
    for (const { id, user_id: userId } of overdue) await this.dataSource.transaction((manager) => this.expireOne(manager, id, userId, now));
    await this.dataSource.query(`delete from approvals where expires_at < $1::timestamptz - interval '${linkDays} days'`, [now]);
  }

  private async expireOne(manager: EntityManager, id: string, userId: string, now: Date): Promise<void> {
    // The same lock as a decision's: whichever comes first counts.
    await lockIds(manager, [userId]);
    const article = await rowOf<{ run_id: string }>(
      manager,
      `update customer_articles set state = 'expired', reason = $2, approval_until = null, mail_due_at = null, updated_at = $3
       where id = $1 and approval_until <= $3 and state = any($4) returning run_id`,
      [id, approvalTexts.expired, now, waitingArticleStates],
    );
    if (!article) return;
    await manager.query(`update article_runs set state = 'expired', reason_code = 'expired', reason = $2, updated_at = $3 where id = $1`, [
      article.run_id,
      approvalTexts.expired,
      now,
    ]);
    await this.runs.tellFailed(manager, article.run_id, 'expired', approvalTexts.expired);
  }

  private async mail(manager: EntityManager, id: string, userId: string, to: string | null): Promise<void> {
    await lockIds(manager, [userId]);
    const now = this.clock.now();
    // Another replica may have been faster, and the owner too.
    const article = await rowOf<DueMail>(
      manager,
      `select id, user_id, title, site_key, approval_until, mails from customer_articles where id = $1 and mail_due_at <= $2 and state = any($3) for update`,
      [id, now, waitingArticleStates],
    );
    if (!article) return;
    const isReminder = article.mails > 0;
    const next = to === null || isReminder ? null : new Date(now.getTime() + reminderMs);
    await manager.query('update customer_articles set mails = mails + 1, mail_due_at = $2 where id = $1', [id, next]);
    if (to === null) return;
    const token = await this.links.issue(manager, article);
    await this.mails.queue(manager, userId, approvalMail(article, to, new URL(`/aprovar/${token}`, this.config.SITE_URL).href, isReminder));
  }
}

function approvalMail(
  { id, title, site_key: site, approval_until: until }: DueMail,
  to: string,
  href: string,
  isReminder: boolean,
): OwnerMail {
  const texts = approvalMailTexts;
  return {
    ...{ to, kind: isReminder ? 'article_approval_reminder' : 'article_approval', waitingArticleId: id },
    content: {
      subject: isReminder ? texts.reminder(title) : texts.subject(title),
      sign: texts.sign,
      lead: texts.lead(site, dateInBrasilia(until)),
      button: { label: texts.button, href },
      code: null,
      footer: texts.footer,
    },
  };
}
