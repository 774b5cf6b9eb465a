import { automationCreated, automationDeleted, automationPaused, type AutomationType, automationUpdated } from '@decola/contracts';
import { rowOf, rowsOf } from '@decola/database';
import { Outbox } from '@decola/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

interface AutomationRow {
  id: string;
  user_id: string;
  type: AutomationType;
  name: string;
  is_draft: boolean;
  is_active: boolean;
  configuration: Record<string, unknown>;
  revision: string;
}

const columns = 'id, user_id, type, name, is_draft, is_active, configuration, revision';

/** An automation that the service itself paused. */
export interface PausedAutomation {
  id: string;
  user_id: string;
  pause_cause: string;
  pause_reason: string;
}

/** Publishes `automation.*` events through the outbox, in the transaction of the change. */
@Injectable()
export class AutomationEvents {
  constructor(private readonly outbox: Outbox) {}

  async created(manager: EntityManager, id: string): Promise<void> {
    const row = await rowOf<AutomationRow>(manager, `select ${columns} from automations where id = $1`, [id]);
    if (row) await this.outbox.add(manager, automationCreated, payloadOf(row), { subject: row.id });
  }

  /** Increments the revision of each automation and publishes its new state. */
  async updated(manager: EntityManager, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const rows = await rowsOf<AutomationRow>(
      manager,
      `update automations set revision = revision + 1, updated_at = clock_timestamp() where id = any($1) returning ${columns}`,
      [ids],
    );
    await this.outbox.addMany(
      manager,
      automationUpdated,
      rows.map((row) => ({ payload: payloadOf(row), subject: row.id })),
    );
  }

  async deleted(manager: EntityManager, row: { id: string; user_id: string; type: AutomationType }): Promise<void> {
    await this.outbox.add(manager, automationDeleted, { automationId: row.id, userId: row.user_id, type: row.type }, { subject: row.id });
  }

  /** Publishes that the service paused automations, with the reason, and their new state. */
  async paused(manager: EntityManager, rows: readonly PausedAutomation[], now: Date): Promise<void> {
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
}

function payloadOf(row: AutomationRow) {
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
