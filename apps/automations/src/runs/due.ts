import type { EntityManager } from 'typeorm';

/** Due at an instant, or not at all; never what is off, a draft or done. */
export async function dueAt(manager: EntityManager, automationId: string, at: Date | null): Promise<void> {
  await manager.query(
    `update automations set next_run_at = $2, hold_code = null, hold_reason = null where id = $1 and is_active and not is_draft and completed_at is null`,
    [automationId, at],
  );
}
