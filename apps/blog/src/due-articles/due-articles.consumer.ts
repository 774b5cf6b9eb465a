import { articleDue, type PayloadOf } from '@decola/contracts';
import { rowOf } from '@decola/database';
import { EventContext, lockIds } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { storeBlogAutomation } from '../blog-automations/blog-automation-copies.js';
import { ArticleRuns } from '../writing/article-runs.service.js';

/** Stores the articles that automations asks for. */
@Controller()
export class DueArticlesConsumer {
  constructor(
    private readonly clock: Clock,
    private readonly runs: ArticleRuns,
  ) {}

  /** Stores one article for a blog automation and day of Brasília, and opens its run, however often its event arrives; none of a deleted customer. */
  @EventPattern<string>(articleDue.type)
  async due(@Payload() event: PayloadOf<typeof articleDue>, @Ctx() { manager }: EventContext): Promise<void> {
    if (event.automation) await storeBlogAutomation(manager, event.automation);
    await lockIds(manager, [event.userId]);
    const due = await rowOf<{ id: string }>(
      manager,
      `insert into due_articles (user_id, blog_automation_id, occurrence_at, keyword, theme, received_at)
       select $1, $2, $3, $4, $5, $6 where not exists (select 1 from erased_users where user_id = $1::uuid)
       on conflict do nothing returning id`,
      [event.userId, event.blogAutomationId, event.occurrenceAt, event.keyword, event.theme, this.clock.now()],
    );
    if (!due) return;
    const { blogAutomationId, userId, keyword, theme } = event;
    await this.runs.openForDue(manager, {
      dueId: due.id,
      blogAutomationId,
      userId,
      occurrenceAt: new Date(event.occurrenceAt),
      keyword,
      theme,
    });
  }
}
