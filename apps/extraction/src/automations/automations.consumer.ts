import { automationCreated, automationDeleted, automationUpdated, type PayloadOf, userDeleted } from '@decola/contracts';
import { EventContext, forgetMessages, isAnyGone, markGone, oneAtATime } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import type { EntityManager } from 'typeorm';
import { rowOf } from '../rows.js';
import { extractionOf } from './extraction-of.js';

interface Copy {
  is_draft: boolean;
  extracted_data_id: string | null;
  revision: string;
}

/**
 * Keeps the copies of automations and opens a list for each published extractor. Safe to run twice and out of order: an older
 * revision changes nothing, and what is gone stays gone.
 */
@Controller()
export class AutomationsConsumer {
  constructor(private readonly clock: Clock) {}

  @EventPattern<string>(automationCreated.type)
  async created(@Payload() event: PayloadOf<typeof automationCreated>, @Ctx() { manager }: EventContext): Promise<void> {
    await this.keep(manager, event);
  }

  @EventPattern<string>(automationUpdated.type)
  async updated(@Payload() event: PayloadOf<typeof automationUpdated>, @Ctx() { manager }: EventContext): Promise<void> {
    await this.keep(manager, event);
  }

  /** What was collected goes with its automation. */
  @EventPattern<string>(automationDeleted.type)
  async deleted(@Payload() event: PayloadOf<typeof automationDeleted>, @Ctx() { manager }: EventContext): Promise<void> {
    await oneAtATime(manager, [event.automationId]);
    await markGone(manager, event.automationId, this.clock.now());
    await manager.query('delete from automations where automation_id = $1', [event.automationId]);
  }

  /** Everything of the person goes: automations, lists, the people in them and messages about them. Files are made of rows; there are none. */
  @EventPattern<string>(userDeleted.type)
  async userDeleted(@Payload() event: PayloadOf<typeof userDeleted>, @Ctx() { manager }: EventContext): Promise<void> {
    await oneAtATime(manager, [event.userId]);
    await markGone(manager, event.userId, this.clock.now());
    await manager.query('delete from automations where user_id = $1', [event.userId]);
    await manager.query('delete from extracted_data where user_id = $1', [event.userId]);
    await forgetMessages(manager, [event.userId]);
  }

  private async keep(manager: EntityManager, event: PayloadOf<typeof automationCreated>): Promise<void> {
    const ids = [event.automationId, event.userId];
    await oneAtATime(manager, ids);
    if (await isAnyGone(manager, ids)) return;
    const before = await rowOf<Copy>(manager, 'select is_draft, extracted_data_id, revision from automations where automation_id = $1', [
      event.automationId,
    ]);
    if (before && Number(before.revision) >= event.revision) return;
    const planned = extractionOf(event);
    await manager.query(
      `insert into automations (automation_id, user_id, type, name, is_draft, extracted_data_id, revision) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (automation_id) do update set type = excluded.type, name = excluded.name, is_draft = excluded.is_draft,
         extracted_data_id = excluded.extracted_data_id, revision = excluded.revision`,
      [event.automationId, event.userId, event.type, event.name, event.isDraft, planned?.id ?? null, event.revision],
    );
    if (planned === null || event.isDraft) return;
    // A list that its owner deleted is not opened again by a later change of the same automation.
    const isNew = !before || before.is_draft || before.extracted_data_id !== planned.id;
    if (!isNew || (await isAnyGone(manager, [planned.id]))) return;
    await manager.query(
      `insert into extracted_data (id, user_id, automation_id, data_type, file_name) values ($1, $2, $3, $4, $5) on conflict (id) do nothing`,
      [planned.id, event.userId, event.automationId, planned.dataType, planned.fileName],
    );
  }
}
