import type { DoneAnswer } from '@decola/contracts';
import { rowOf } from '@decola/database';
import { lockIds } from '@decola/messaging';
import { Clock, CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { BlogConfig } from '../config/config.js';
import { approvalTexts } from '../texts/approval-texts.js';
import { customerTexts } from '../texts/customer-texts.js';
import { ArticleRuns } from '../writing/article-runs.service.js';
import { findAutomation } from '../blog-automations/automation-copy.js';
import { dateInBrasilia } from '../calendar/brasilia.js';
import { findRun } from '../runs/run-row.js';
import { countRequest } from './daily-requests.js';
import { CustomerArticles, isErased } from '../customer-articles/customer-articles.service.js';

const refused = (error: string): DoneAnswer => ({ success: false, error });

/** Articles that owners want after all: skipped and failed ones are written, expired ones wait for their owner again. */
@Injectable()
export class ArticleRetries {
  constructor(
    private readonly dataSource: DataSource,
    private readonly runs: ArticleRuns,
    private readonly articles: CustomerArticles,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: BlogConfig,
  ) {}

  retry(userId: string, runId: string): Promise<DoneAnswer> {
    return this.dataSource.transaction(async (manager) => {
      await lockIds(manager, [userId]);
      const run = await findRun(manager, runId);
      const isOwn = run?.origin === 'customer' && run.user_id === userId;
      if (!run || !isOwn || (await isErased(manager, userId))) return refused(customerTexts.notFound);
      // A new text of an article is asked for by `refresh-article`.
      if (run.refreshes_run_id !== null) return refused(customerTexts.notRepeatable);
      const automation = run.blog_automation_id ? await findAutomation(manager, run.blog_automation_id) : undefined;
      if (!automation) return refused(customerTexts.automationGone);
      if (!automation.isActive) return refused(customerTexts.automationOff);
      const now = this.clock.now();
      if (run.state === 'expired') {
        const until = this.articles.untilFrom(now);
        const reason = approvalTexts.waiting(dateInBrasilia(until));
        const waiting = await rowOf(
          manager,
          `update customer_articles set state = 'waiting_approval', reason = $2, approval_until = $3, mail_due_at = $4, mails = 0, updated_at = $4
           where run_id = $1 and state = 'expired' returning 1`,
          [runId, reason, until, now],
        );
        if (!waiting) return refused(customerTexts.notRepeatable);
        await manager.query(
          `update article_runs set state = 'waiting_approval', reason_code = 'approval', reason = $2, updated_at = $3 where id = $1`,
          [runId, reason, now],
        );
        return { success: true };
      }
      if (run.state !== 'skipped' && run.state !== 'failed') return refused(customerTexts.notRepeatable);
      const most = this.config.AI_MANUAL_PER_DAY;
      if (!(await countRequest(manager, { userId, kind: 'retry', now, most }))) return refused(customerTexts.retriesPerDay(most));
      await this.runs.reopen(manager, runId);
      return { success: true };
    });
  }
}
