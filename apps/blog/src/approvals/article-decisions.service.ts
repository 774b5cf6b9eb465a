import { type ArticleDecision, type DoneAnswer, isWaitingArticle } from '@decola/contracts';
import { lockIds } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type CustomerArticleRow, findCustomerArticle } from '../customer-articles/customer-article-row.js';
import { CustomerArticles, isErased } from '../customer-articles/customer-articles.service.js';
import { markdownOfHtml } from '../customer-articles/markdown-of-html.js';
import { unsafeTermsIn } from '../customer-articles/safe-words.js';
import { approvalTexts } from '../texts/approval-texts.js';
import { customerTexts } from '../texts/customer-texts.js';
import { TopicMemory } from '../topics/topic-memory.service.js';
import { ArticleRuns } from '../writing/article-runs.service.js';
import { findAutomation } from '../blog-automations/automation-copy.js';
import { findRun } from '../runs/run-row.js';

export interface WantedDecision {
  userId: string;
  articleId: string;
  decision: ArticleDecision;
  note: string | null;
  /** The revision that the person has read; absent when any is meant. */
  revision?: number;
}

const done: DoneAnswer = { success: true };
const refused = (error: string): DoneAnswer => ({ success: false, error });

/** State of an article after each decision. */
const stateAfter = { approve: 'approved', change: 'rewriting', reject: 'rejected' } as const satisfies Record<ArticleDecision, string>;

/** What owners decide about their waiting articles. Each article is decided once; the same decision again is no error, since people press twice. */
@Injectable()
export class ArticleDecisions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly runs: ArticleRuns,
    private readonly articles: CustomerArticles,
    private readonly topics: TopicMemory,
    private readonly clock: Clock,
  ) {}

  decide(wanted: WantedDecision): Promise<DoneAnswer> {
    return this.dataSource.transaction(async (manager) => {
      await lockIds(manager, [wanted.userId]);
      const article = await findCustomerArticle(manager, { id: wanted.articleId, userId: wanted.userId });
      if (!article || (await isErased(manager, wanted.userId))) return refused(customerTexts.notFound);
      if (article.decision === wanted.decision && article.state === stateAfter[wanted.decision]) return done;
      if (article.state === 'rewriting') return refused(customerTexts.rewriting);
      if (!isWaitingArticle(article.state)) return refused(approvalTexts.decided);
      if (article.approval_until && article.approval_until <= this.clock.now()) return refused(approvalTexts.expired);
      if (wanted.revision !== undefined && wanted.revision !== article.revision) return refused(approvalTexts.changed);
      const note = wanted.note?.trim() || null;
      switch (wanted.decision) {
        case 'approve':
          return this.approve(manager, article);
        case 'change':
          return this.change(manager, article, note);
        case 'reject':
          return this.reject(manager, article, note ?? approvalTexts.rejected);
      }
    });
  }

  private async approve(manager: EntityManager, article: CustomerArticleRow): Promise<DoneAnswer> {
    const unsafe = unsafeTermsIn(article);
    if (unsafe.length > 0) return refused(customerTexts.words(unsafe));
    const automation = await findAutomation(manager, article.blog_automation_id);
    if (!automation?.webhookUrl) return refused(customerTexts.automationGone);
    await this.settle(manager, article, 'approve', null);
    await this.endRun(manager, article, 'approved', null, null);
    await this.articles.deliver(manager, article, automation.webhookUrl);
    // Automations was told that the article is held for its owner.
    if (article.state === 'needs_review') await this.runs.tellWritten(manager, article.run_id);
    return done;
  }

  private async change(manager: EntityManager, article: CustomerArticleRow, note: string | null): Promise<DoneAnswer> {
    if (note === null) return refused(approvalTexts.noteMissing);
    const run = await findRun(manager, article.run_id);
    if (!run || run.steps.change) return refused(approvalTexts.rewrittenOnce);
    await this.settle(manager, article, 'change', note);
    const text = article.revision > 1 ? markdownOfHtml(article.content_html) : null;
    await this.runs.reopenForChange(manager, article.run_id, { note, text });
    return done;
  }

  private async reject(manager: EntityManager, article: CustomerArticleRow, reason: string): Promise<DoneAnswer> {
    await this.settle(manager, article, 'reject', reason);
    await this.endRun(manager, article, 'rejected', 'rejected', reason);
    await this.topics.refuse(manager, article.run_id, reason);
    return done;
  }

  private async settle(manager: EntityManager, { id }: CustomerArticleRow, decision: ArticleDecision, reason: string | null) {
    await manager.query(
      `update customer_articles set state = $2, decision = $3, reason = $4, decided_at = $5, approval_until = null, mail_due_at = null, updated_at = $5
       where id = $1`,
      [id, stateAfter[decision], decision, reason, this.clock.now()],
    );
  }

  private async endRun(
    manager: EntityManager,
    { run_id: runId }: CustomerArticleRow,
    state: 'approved' | 'rejected',
    code: 'rejected' | null,
    reason: string | null,
  ) {
    await manager.query('update article_runs set state = $2, reason_code = $3, reason = $4, updated_at = $5 where id = $1', [
      ...[runId, state, code, reason, this.clock.now()],
    ]);
  }
}
