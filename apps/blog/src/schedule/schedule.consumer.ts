import { articleDue, type PayloadOf, userDeleted } from '@decola/contracts';
import { EventContext, forgetMessages, oneAtATime } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';

/** Hears which articles are due, and who is gone. Safe to run twice and out of order. */
@Controller()
export class ScheduleConsumer {
  constructor(private readonly clock: Clock) {}

  /** Notes the occurrence once, whoever tells of it and however often. */
  @EventPattern<string>(articleDue.type)
  async due(@Payload() event: PayloadOf<typeof articleDue>, @Ctx() { manager }: EventContext): Promise<void> {
    await oneAtATime(manager, [event.userId]);
    await manager.query(
      `insert into due_articles (user_id, blog_automation_id, occurrence_at, keyword, theme, received_at)
       select $1, $2, $3, $4, $5, $6 where not exists (select 1 from erased_users where user_id = $1::uuid)
       on conflict on constraint due_articles_once do nothing`,
      [event.userId, event.blogAutomationId, event.occurrenceAt, event.keyword, event.theme, this.clock.now()],
    );
  }

  @EventPattern<string>(userDeleted.type)
  async userDeleted(@Payload() event: PayloadOf<typeof userDeleted>, @Ctx() { manager }: EventContext): Promise<void> {
    await oneAtATime(manager, [event.userId]);
    await manager.query('insert into erased_users (user_id, erased_at) values ($1, $2) on conflict do nothing', [
      event.userId,
      this.clock.now(),
    ]);
    for (const table of ['user_keywords', 'user_tokens', 'due_articles'])
      await manager.query(`delete from ${table} where user_id = $1`, [event.userId]);
    await forgetMessages(manager, [event.userId]);
  }
}
