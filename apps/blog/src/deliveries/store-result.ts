import { rowOf } from '@decola/database';
import type { EntityManager } from 'typeorm';
import type { SiteRow, SiteTurns } from '../sites/site-turns.service.js';
import type { DeliveryRow } from './delivery-row.js';

/** The owner has ordered something else meanwhile: the result of this attempt does not apply any more. */
export class SupersededError extends Error {
  override readonly name = 'SupersededError';
}

/** What was ordered of a delivery. */
export type Order = Pick<DeliveryRow, 'id' | 'revision' | 'operation' | 'round'>;

/**
 * Stores what a call or a plugin brought for a delivery.
 * @throws SupersededError, and stores nothing, when the delivery was ordered anew meanwhile @throws LostTurnError
 */
export function storeResult<Result>(
  turns: SiteTurns,
  { site, delivery: { id, revision, operation, round } }: { site: SiteRow; delivery: Order },
  change: (manager: EntityManager) => Promise<Result>,
): Promise<Result> {
  return turns.store(site, async (manager) => {
    const same = await rowOf(
      manager,
      'select 1 from deliveries where id = $1 and revision = $2 and operation = $3 and round = $4 and next_attempt_at is not null for update',
      [id, revision, operation, round],
    );
    if (!same) throw new SupersededError(`delivery ${id} was ordered anew`);
    return change(manager);
  });
}
