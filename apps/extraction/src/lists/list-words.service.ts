import { extractionCompleted, extractionDue, extractionPassEnded } from '@decola/contracts';
import { rowOf } from '@decola/database';
import { Outbox } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { List } from './list-row.js';

/** What extraction tells automations about a list: a run is due again, or the list is over. */
@Injectable()
export class ListWords {
  constructor(
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** The list goes on. @param restMs pause before the next run */
  async due(manager: EntityManager, list: List, runId: string, restMs: number): Promise<void> {
    const dueAt = new Date(this.clock.now().getTime() + restMs).toISOString();
    await this.outbox.add(
      manager,
      extractionDue,
      { ...identityOf(list), runId, dueAt, collected: list.total_records, profileTotal: list.profile_total },
      { subject: list.id },
    );
  }

  /** The list is over; its row says since when and why. May be repeated. */
  async over(manager: EntityManager, list: List): Promise<void> {
    await this.outbox.add(
      manager,
      extractionCompleted,
      {
        ...identityOf(list),
        dataType: list.data_type,
        totalRecords: list.total_records,
        profileTotal: list.profile_total,
        reason: list.end_reason,
        completedAt: (list.completed_at ?? this.clock.now()).toISOString(),
      },
      { subject: list.id },
    );
  }

  /** The owner deleted the list but kept the automation: nothing is left to read. */
  async overBecauseDeleted(
    manager: EntityManager,
    { extractedDataId, automationId, userId }: { extractedDataId: string; automationId: string | null; userId: string },
    pass: number,
    profileTotal: number | null,
  ): Promise<void> {
    if (automationId === null) return;
    // Locked until commit, so that an erasure of this customer comes later and deletes this message too.
    const automation = await rowOf(manager, `select 1 from automations where automation_id = $1 and user_id = $2 for share`, [
      automationId,
      userId,
    ]);
    if (!automation) return;
    const list = { extractedDataId, automationId, userId };
    await this.outbox.add(
      manager,
      extractionPassEnded,
      { ...list, pass, nextPage: null, collected: 0, profileTotal, complete: true },
      { subject: extractedDataId },
    );
    await this.outbox.add(
      manager,
      extractionCompleted,
      { ...list, dataType: null, totalRecords: 0, profileTotal, reason: 'deleted', completedAt: this.clock.now().toISOString() },
      { subject: extractedDataId },
    );
  }

  /**
   * For replicas of automations of an earlier version, which start the next pass on this event.
   * @param nextPage number of the next page; null when no pass follows
   */
  async passEnded(manager: EntityManager, list: List, pass: number, nextPage: number | null): Promise<void> {
    await this.outbox.add(
      manager,
      extractionPassEnded,
      {
        ...identityOf(list),
        pass,
        nextPage,
        collected: list.total_records,
        profileTotal: list.profile_total,
        complete: nextPage === null,
      },
      { subject: list.id },
    );
  }
}

function identityOf(list: List) {
  return { extractedDataId: list.id, automationId: list.automation_id, userId: list.user_id };
}
