import {
  automationCreated,
  automationDeleted,
  automationPaused,
  type AutomationType,
  automationUpdated,
  slotsChanged,
} from '@decola/contracts';
import { Outbox } from '@decola/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { usedSlots } from '../entitlements/entitlements.js';
import { rowOf, rowsOf } from '../rows.js';

interface AutomationFacts {
  id: string;
  user_id: string;
  type: AutomationType;
  name: string;
  is_draft: boolean;
  is_active: boolean;
  configuration: Record<string, unknown>;
  revision: string;
}

const factColumns = 'id, user_id, type, name, is_draft, is_active, configuration, revision';

/** Tells everybody what changed, in the transaction of the change. */
@Injectable()
export class Announcer {
  constructor(private readonly outbox: Outbox) {}

  async created(manager: EntityManager, id: string): Promise<void> {
    const row = await rowOf<AutomationFacts>(manager, `select ${factColumns} from automations where id = $1`, [id]);
    if (row) await this.outbox.add(manager, automationCreated, this.facts(row), { subject: row.id });
  }

  /** Gives each row its next revision and tells it. */
  async updated(manager: EntityManager, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const rows = await rowsOf<AutomationFacts>(
      manager,
      `update automations set revision = revision + 1, updated_at = clock_timestamp() where id = any($1) returning ${factColumns}`,
      [ids],
    );
    await this.outbox.addMany(
      manager,
      automationUpdated,
      rows.map((row) => ({ payload: this.facts(row), subject: row.id })),
    );
  }

  async deleted(manager: EntityManager, row: { id: string; user_id: string; type: AutomationType }): Promise<void> {
    await this.outbox.add(manager, automationDeleted, { automationId: row.id, userId: row.user_id, type: row.type }, { subject: row.id });
  }

  /** Tells that the platform switched automations off, and their new state. */
  async paused(
    manager: EntityManager,
    rows: readonly { id: string; user_id: string; pause_cause: string; pause_reason: string }[],
    now: Date,
  ): Promise<void> {
    await this.updated(
      manager,
      rows.map(({ id }) => id),
    );
    await this.outbox.addMany(
      manager,
      automationPaused,
      rows.map(({ id, user_id, pause_cause, pause_reason }) => ({
        payload: { automationId: id, userId: user_id, reasonCode: pause_cause, reason: pause_reason, pausedAt: now.toISOString() },
        subject: id,
      })),
    );
  }

  /** Counts the user's slots again and tells the number. The caller holds the entitlement row. */
  async slots(manager: EntityManager, userId: string): Promise<void> {
    const used = await usedSlots(manager, userId);
    const row = await rowOf<{ slots_sequence: string }>(
      manager,
      `update entitlements set slots_sequence = slots_sequence + 1 where user_id = $1 returning slots_sequence`,
      [userId],
    );
    if (!row) return;
    await this.outbox.add(manager, slotsChanged, { userId, used, sequence: Number(row.slots_sequence) }, { subject: userId });
  }

  private facts(row: AutomationFacts) {
    return {
      automationId: row.id,
      userId: row.user_id,
      type: row.type,
      name: row.name,
      isDraft: row.is_draft,
      isActive: row.is_active,
      configuration: row.configuration,
      revision: Number(row.revision),
    };
  }
}
