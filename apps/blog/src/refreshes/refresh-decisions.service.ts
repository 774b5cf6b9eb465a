import { type DoneAnswer, type RefreshDecision, type RefreshDetail, type RefreshReason, topicKey } from '@decola/contracts';
import { rowOf, rowsOf } from '@decola/database';
import { lockIds } from '@decola/messaging';
import { Clock, CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { linksOfHtml } from '../articles/links-of-html.js';
import { countRequest } from '../article-owners/daily-requests.js';
import { findAutomation } from '../blog-automations/automation-copy.js';
import { dayInBrasilia } from '../calendar/brasilia.js';
import type { BlogConfig } from '../config/config.js';
import { ArticleRefreshes } from '../customer-articles/article-refreshes.service.js';
import { type CustomerArticleRow, findCustomerArticle } from '../customer-articles/customer-article-row.js';
import { isErased } from '../customer-articles/customer-articles.service.js';
import { markdownOfHtml } from '../customer-articles/markdown-of-html.js';
import { LanguageModel } from '../model/language-model.service.js';
import { findRun, type RunSteps, type RefreshOrder } from '../runs/run-row.js';
import { customerTexts } from '../texts/customer-texts.js';
import { refreshTasks, refreshTexts } from '../texts/refresh-texts.js';
import { generateTexts } from '../texts/writing-texts.js';
import { ArticleRuns } from '../writing/article-runs.service.js';

const done: DoneAnswer = { success: true };
const refused = (error: string): DoneAnswer => ({ success: false, error });

interface Proposal {
  reason: RefreshReason;
  detail: RefreshDetail;
}

/** What owners decide about proposals to write an article anew, and about the new texts. The same decision again is no error, since people press twice. */
@Injectable()
export class RefreshDecisions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly runs: ArticleRuns,
    private readonly refreshes: ArticleRefreshes,
    private readonly model: LanguageModel,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: BlogConfig,
  ) {}

  decide(userId: string, articleId: string, decision: RefreshDecision): Promise<DoneAnswer> {
    return this.dataSource.transaction(async (manager) => {
      await lockIds(manager, [userId]);
      const article = await findCustomerArticle(manager, { id: articleId, userId });
      if (!article || (await isErased(manager, userId))) return refused(customerTexts.notFound);
      switch (decision) {
        case 'accept':
          return this.accept(manager, article);
        case 'dismiss':
          return this.dismiss(manager, article);
        case 'publish':
          return this.publish(manager, article);
        case 'discard':
          return this.discard(manager, article);
      }
    });
  }

  private async accept(manager: EntityManager, article: CustomerArticleRow): Promise<DoneAnswer> {
    const open = await rowOf(manager, `select 1 from article_refreshes where article_id = $1 and state in ('writing', 'waiting')`, [
      article.id,
    ]);
    if (open) return done;
    const proposals = await rowsOf<Proposal>(
      manager,
      `select reason, detail from refresh_proposals where article_id = $1 and state = 'proposed' order by reason for update`,
      [article.id],
    );
    if (proposals.length === 0) return refused(refreshTexts.notProposed);
    const refusal = await this.refusalOf(manager, article);
    if (refusal !== null) return refused(refusal);
    const original = await findRun(manager, article.run_id);
    if (!original) return refused(customerTexts.notFound);
    const most = this.config.AI_MANUAL_PER_DAY;
    const now = this.clock.now();
    const isCounted = await countRequest(manager, { userId: article.user_id, kind: 'refresh', now, most });
    if (!isCounted) return refused(refreshTexts.perDay(most));
    const runId = await this.runs.openForRefresh(manager, { of: original, steps: await this.stepsOf(manager, article, proposals) });
    const reasons = proposals.map(({ reason }) => reason);
    await manager.query(
      `insert into article_refreshes (user_id, article_id, run_id, revision, state, reasons, created_at, updated_at)
       values ($1, $2, $3, $4, 'writing', $5, $6, $6)`,
      [article.user_id, article.id, runId, article.revision, reasons, now],
    );
    await manager.query(
      `update refresh_proposals set state = 'accepted', decided_at = $2, updated_at = $2 where article_id = $1 and reason = any($3)`,
      [article.id, now, reasons],
    );
    return done;
  }

  /** Leaves an article as it is; also one whose new text could not be written. */
  private async dismiss(manager: EntityManager, article: CustomerArticleRow): Promise<DoneAnswer> {
    await manager.query(
      `update refresh_proposals set state = 'dismissed', decided_at = $2, updated_at = $2 where article_id = $1 and state = 'proposed'`,
      [article.id, this.clock.now()],
    );
    return done;
  }

  private async publish(manager: EntityManager, article: CustomerArticleRow): Promise<DoneAnswer> {
    const refresh = await this.refreshes.findWaiting(manager, article.id);
    if (!refresh) return this.isLast(manager, article.id, 'done');
    const refusal = this.refreshes.refusalOf(refresh, article);
    if (refusal !== null) return refused(refusal);
    if (!(await this.refreshes.apply(manager, refresh, article))) {
      await this.refreshes.fail(manager, refresh.run_id, refreshTexts.changed);
      await this.endRun(manager, refresh.run_id, 'skipped', 'cancelled', refreshTexts.changed);
      return refused(refreshTexts.changed);
    }
    await this.endRun(manager, refresh.run_id, 'approved', null, null);
    return done;
  }

  private async discard(manager: EntityManager, article: CustomerArticleRow): Promise<DoneAnswer> {
    const refresh = await this.refreshes.findWaiting(manager, article.id);
    if (!refresh) return this.isLast(manager, article.id, 'discarded');
    await this.refreshes.discard(manager, refresh.run_id, null);
    await this.endRun(manager, refresh.run_id, 'rejected', 'rejected', null);
    return done;
  }

  /** The answer to a decision about a text that does not wait: nothing is wrong when it was decided so already. */
  private async isLast(manager: EntityManager, articleId: string, state: 'done' | 'discarded'): Promise<DoneAnswer> {
    const last = await rowOf<{ state: string }>(
      manager,
      'select state from article_refreshes where article_id = $1 order by created_at desc limit 1',
      [articleId],
    );
    return last?.state === state ? done : refused(refreshTexts.decided);
  }

  private async refusalOf(
    manager: EntityManager,
    { id, state, blog_automation_id: automationId }: CustomerArticleRow,
  ): Promise<string | null> {
    if (state !== 'approved') return refreshTexts.notOnSite;
    if (!this.model.isConfigured) return generateTexts.notConfigured;
    if (!(await findAutomation(manager, automationId))) return customerTexts.automationGone;
    const states = await rowsOf<{ state: string }>(manager, 'select state from deliveries where article_id = $1', [id]);
    if (states.some((delivery) => delivery.state === 'edited_by_owner')) return refreshTexts.edited;
    return states.some((delivery) => ['published', 'seen', 'not_seen'].includes(delivery.state)) ? null : refreshTexts.notOnSite;
  }

  /** What a run begins with: the topic of the article, its links that are alive, and what is to be mended. Its cover stays. */
  private async stepsOf(
    manager: EntityManager,
    article: CustomerArticleRow,
    proposals: readonly Proposal[],
  ): Promise<RunSteps & { refresh: RefreshOrder }> {
    const topic = await rowOf<{
      id: string;
      title: string;
      focus_keyword: string;
      cluster: string | null;
      intent: string | null;
      angle: string | null;
    }>(manager, 'select id, title, focus_keyword, cluster, intent, angle from topics where run_id = $1', [article.run_id]);
    const { created_at: writtenAt } = (await rowOf<{ created_at: Date }>(
      manager,
      'select created_at from customer_articles where id = $1',
      [article.id],
    ))!;
    const deadLinks = proposals.flatMap(({ detail }) => detail.links ?? []);
    const focusKeyword = article.meta.focusKeyword || topic?.focus_keyword || article.title;
    return {
      topic: {
        // Nothing is looked up by it: the topic stays the first run's.
        id: topic?.id ?? article.id,
        title: article.title,
        focusKeyword: topicKey(focusKeyword) === '' ? article.title : focusKeyword,
        ...{ cluster: topic?.cluster ?? null, intent: topic?.intent ?? null, angle: topic?.angle ?? null },
      },
      cover: 'none',
      refresh: {
        tasks: proposals.map(({ reason, detail }) => refreshTasks[reason](detail)),
        article: markdownOfHtml(article.content_html),
        title: article.title,
        links: linksOfHtml(article.content_html, `https://${article.site_key}`)
          .filter(({ href, text }) => text !== '' && !deadLinks.includes(href))
          .map(({ href, text, isOutside }) => ({ href, title: text, kind: isOutside ? ('source' as const) : ('inventory' as const) })),
        deadLinks,
        writtenIn: Number(dayInBrasilia(writtenAt).slice(0, 4)),
      },
    };
  }

  private async endRun(
    manager: EntityManager,
    runId: string,
    state: 'approved' | 'rejected' | 'skipped',
    code: 'rejected' | 'cancelled' | null,
    reason: string | null,
  ): Promise<void> {
    await manager.query('update article_runs set state = $2, reason_code = $3, reason = $4, updated_at = $5 where id = $1', [
      ...[runId, state, code, reason, this.clock.now()],
    ]);
  }
}
