import { articleDelivered, articleFailed, articleSiteRefused, articleWritten, type PayloadOf } from '@decola/contracts';
import { rowOf, yieldToPeople } from '@decola/database';
import { EventContext } from '@decola/messaging';
import { Controller } from '@nestjs/common';
import { Slots } from '../entitlements/slots.service.js';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';

/** Stores what became of a due article: when the last one was written, and why the last one was not. A late event changes nothing newer. */
@Controller()
export class ArticleOutcomesConsumer {
  constructor(private readonly slots: Slots) {}

  @EventPattern<string>(articleWritten.type)
  async written(@Payload() event: PayloadOf<typeof articleWritten>, @Ctx() { manager }: EventContext): Promise<void> {
    await yieldToPeople(manager);
    await manager.query(
      `update blog_automations set last_generated_at = greatest(last_generated_at, $3::timestamptz),
         problem_code = case when problem_at > $3 then problem_code end,
         problem_reason = case when problem_at > $3 then problem_reason end,
         problem_at = case when problem_at > $3 then problem_at end
       where id = $1 and user_id = $2`,
      [event.blogAutomationId, event.userId, event.at],
    );
  }

  @EventPattern<string>(articleFailed.type)
  async failed(@Payload() event: PayloadOf<typeof articleFailed>, @Ctx() { manager }: EventContext): Promise<void> {
    await yieldToPeople(manager);
    await manager.query(
      `update blog_automations set problem_code = $4, problem_reason = $5, problem_at = $3
       where id = $1 and user_id = $2 and $3::timestamptz >= coalesce(greatest(last_generated_at, problem_at), '-infinity')`,
      [event.blogAutomationId, event.userId, event.at, event.code, event.reason],
    );
  }

  /** An article that is on its site ends the problem of the ones before. */
  @EventPattern<string>(articleDelivered.type)
  async delivered(@Payload() event: PayloadOf<typeof articleDelivered>, @Ctx() { manager }: EventContext): Promise<void> {
    await yieldToPeople(manager);
    await manager.query(
      `update blog_automations set problem_code = null, problem_reason = null, problem_at = null
       where id = $1 and user_id = $2 and problem_at <= $3::timestamptz`,
      [event.blogAutomationId, event.userId, event.at],
    );
  }

  /** A site that wants no more articles gets none: the automation waits until its owner switches it on again. */
  @EventPattern<string>(articleSiteRefused.type)
  async siteRefused(@Payload() event: PayloadOf<typeof articleSiteRefused>, @Ctx() { manager }: EventContext): Promise<void> {
    await yieldToPeople(manager);
    const paused = await rowOf(
      manager,
      `update blog_automations set is_active = false, pause_cause = 'site', pause_reason = $4
       where id = $1 and user_id = $2 and is_active and updated_at <= $3::timestamptz returning id`,
      [event.blogAutomationId, event.userId, event.at, event.reason],
    );
    if (paused) await this.slots.publishUsed(manager, event.userId);
  }
}
