import { type PayloadOf, userDeleted } from '@decola/contracts';
import { rowsOf } from '@decola/database';
import { deleteQueuedMails } from '@decola/mailer';
import { deleteOutboxMessagesAbout, EventContext, lockIds } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import type { EntityManager } from 'typeorm';
import { Pictures } from '../images/pictures.service.js';

const tablesOfCustomers = [
  'user_keywords',
  'user_tokens',
  'due_articles',
  'blog_automation_copies',
  'article_runs',
  'topics',
  'ai_months',
  'refresh_proposals',
  'article_refreshes',
  'article_links',
  'customer_articles',
  'daily_requests',
  'sites',
  'deliveries',
  'delivery_attempts',
  'webhook_tests',
];

/** Erases everything of a deleted customer. */
@Controller()
export class CustomersConsumer {
  constructor(
    private readonly clock: Clock,
    private readonly pictures: Pictures,
  ) {}

  @EventPattern<string>(userDeleted.type)
  async deleted(@Payload() { userId }: PayloadOf<typeof userDeleted>, @Ctx() { manager }: EventContext): Promise<void> {
    await lockIds(manager, [userId]);
    await manager.query('insert into erased_users (user_id, erased_at) values ($1, $2) on conflict do nothing', [userId, this.clock.now()]);
    // What articles cost is kept without saying whose they were. Before the months: calls are settled in this order too.
    await manager.query('update ai_calls set user_id = null where user_id = $1', [userId]);
    for (const address of await coversOf(manager, userId)) await this.pictures.forget(address);
    for (const table of tablesOfCustomers) await manager.query(`delete from ${table} where user_id = $1`, [userId]);
    await deleteQueuedMails(manager, [userId]);
    await deleteOutboxMessagesAbout(manager, [userId]);
  }
}

/** Covers of a person's articles that nothing else shows: names of pictures follow from their content. */
async function coversOf(manager: EntityManager, userId: string): Promise<string[]> {
  const rows = await rowsOf<{ src: string }>(
    manager,
    `select distinct a.image->>'src' as src from customer_articles a where a.user_id = $1 and a.image is not null
       and not exists (select 1 from customer_articles o where o.user_id <> $1 and o.image->>'src' = a.image->>'src')
       and not exists (select 1 from blog_articles b where b.featured_image = a.image->>'src')`,
    [userId],
  );
  return rows.map(({ src }) => src);
}
