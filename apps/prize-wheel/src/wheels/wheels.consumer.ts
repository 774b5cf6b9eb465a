import { automationCreated, automationDeleted, automationUpdated, type PayloadOf, userDeleted } from '@decola/contracts';
import { EventContext, forgetMessages, isAnyGone, markGone, oneAtATime } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import type { EntityManager } from 'typeorm';

/** Keeps the copies of the wheels. Safe to run twice and out of order: an older revision changes nothing, and what is gone stays gone. */
@Controller()
export class WheelsConsumer {
  constructor(private readonly clock: Clock) {}

  @EventPattern<string>(automationCreated.type)
  async created(@Payload() event: PayloadOf<typeof automationCreated>, @Ctx() { manager }: EventContext): Promise<void> {
    await this.keep(manager, event);
  }

  @EventPattern<string>(automationUpdated.type)
  async updated(@Payload() event: PayloadOf<typeof automationUpdated>, @Ctx() { manager }: EventContext): Promise<void> {
    await this.keep(manager, event);
  }

  /** Participations go with their wheel. */
  @EventPattern<string>(automationDeleted.type)
  async deleted(@Payload() event: PayloadOf<typeof automationDeleted>, @Ctx() { manager }: EventContext): Promise<void> {
    if (event.type !== 'prize-extractor') return;
    await oneAtATime(manager, [event.automationId]);
    await markGone(manager, event.automationId, this.clock.now());
    await manager.query('delete from wheels where automation_id = $1', [event.automationId]);
  }

  /** The owner is gone: their wheels go, and with them what the participants left. */
  @EventPattern<string>(userDeleted.type)
  async userDeleted(@Payload() event: PayloadOf<typeof userDeleted>, @Ctx() { manager }: EventContext): Promise<void> {
    await oneAtATime(manager, [event.userId]);
    await markGone(manager, event.userId, this.clock.now());
    await manager.query('delete from wheels where user_id = $1', [event.userId]);
    await forgetMessages(manager, [event.userId]);
  }

  private async keep(manager: EntityManager, event: PayloadOf<typeof automationCreated>): Promise<void> {
    if (event.type !== 'prize-extractor') return;
    const ids = [event.automationId, event.userId];
    await oneAtATime(manager, ids);
    if (await isAnyGone(manager, ids)) return;
    await manager.query(
      `insert into wheels (automation_id, user_id, name, is_draft, is_active, configuration, revision) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (automation_id) do update set name = excluded.name, is_draft = excluded.is_draft, is_active = excluded.is_active,
         configuration = excluded.configuration, revision = excluded.revision
       where wheels.revision < excluded.revision`,
      [
        event.automationId,
        event.userId,
        event.name,
        event.isDraft,
        event.isActive && !event.isDraft,
        JSON.stringify(event.configuration),
        event.revision,
      ],
    );
  }
}
