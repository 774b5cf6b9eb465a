import { automationCreated, automationDeleted, automationUpdated, type PayloadOf, userDeleted } from '@decola/contracts';
import { AutomationCopies, EventContext, hasTombstone } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import type { EntityManager } from 'typeorm';
import { plannedExtraction } from './planned-extraction.js';
import { wheelCopyOf } from './wheel-copy.js';

/** The columns of a copy that decide whether a list is opened. */
interface AutomationRow {
  is_draft: boolean;
  extracted_data_id: string | null;
}

const copies = new AutomationCopies<AutomationRow>({
  table: 'automations',
  columns: (automation) => ({
    type: automation.type,
    name: automation.name,
    is_draft: automation.isDraft,
    extracted_data_id: plannedExtraction(automation)?.id ?? null,
    wheel: wheelCopyOf(automation),
  }),
});

/** Keeps the copies of automations current, and opens a list for each published extractor. */
@Controller()
export class AutomationsConsumer {
  constructor(private readonly clock: Clock) {}

  @EventPattern<string>(automationCreated.type)
  async created(@Payload() event: PayloadOf<typeof automationCreated>, @Ctx() { manager }: EventContext): Promise<void> {
    await this.store(manager, event);
  }

  @EventPattern<string>(automationUpdated.type)
  async updated(@Payload() event: PayloadOf<typeof automationUpdated>, @Ctx() { manager }: EventContext): Promise<void> {
    await this.store(manager, event);
  }

  /** Lists reference their automation: they and their people are deleted with it. */
  @EventPattern<string>(automationDeleted.type)
  async deleted(@Payload() event: PayloadOf<typeof automationDeleted>, @Ctx() { manager }: EventContext): Promise<void> {
    await copies.delete(manager, event, this.clock.now());
  }

  /** Deletes everything of the customer. No files are left: they are streamed from rows. */
  @EventPattern<string>(userDeleted.type)
  async userDeleted(@Payload() { userId }: PayloadOf<typeof userDeleted>, @Ctx() { manager }: EventContext): Promise<void> {
    await copies.deleteOfUser(manager, userId, this.clock.now());
    await manager.query('delete from extracted_data where user_id = $1', [userId]);
    await manager.query('delete from told_days where user_id = $1', [userId]);
  }

  private async store(manager: EntityManager, event: PayloadOf<typeof automationCreated>): Promise<void> {
    const stored = await copies.store(manager, event);
    const planned = plannedExtraction(event);
    if (!stored || planned === null || event.isDraft) return;
    const { previous } = stored;
    // A list that its owner deleted is not opened again by a later change of the same automation.
    const isNew = !previous || previous.is_draft || previous.extracted_data_id !== planned.id;
    if (!isNew || (await hasTombstone(manager, [planned.id]))) return;
    await manager.query(
      `insert into extracted_data (id, user_id, automation_id, data_type, file_name) values ($1, $2, $3, $4, $5) on conflict (id) do nothing`,
      [planned.id, event.userId, event.automationId, planned.dataType, planned.fileName],
    );
  }
}
