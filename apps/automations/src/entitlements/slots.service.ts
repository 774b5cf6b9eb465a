import { slotsChanged, slotsRefusal } from '@decola/contracts';
import { rowOf } from '@decola/database';
import { Outbox } from '@decola/messaging';
import { refusedFor } from '@decola/table-api';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { lockEntitlement, slotHolders, slotsOn, usedSlots } from './entitlements.js';

/**
 * Enforces the plan's slots on writes. Every method locks the customer's entitlement, so that concurrent writes of one customer are counted
 * one after the other.
 */
@Injectable()
export class Slots {
  constructor(private readonly outbox: Outbox) {}

  /** For what is published: `needed` slots must be free. @throws RestError P0001 with the sentence for the customer */
  async requireFree(manager: EntityManager, userId: string, needed: number): Promise<void> {
    const { maxSlots } = await lockEntitlement(manager, userId);
    requireAvailable(needed, maxSlots - (await usedSlots(manager, userId)));
  }

  /**
   * For what is published already and is switched on again: after the plan shrank, more may exist than may be on.
   * @param holder what is switched on; its own slots do not count against it
   * @throws RestError P0001 with the sentence for the customer
   */
  async requireRoomToSwitchOn(manager: EntityManager, userId: string, holder: { id: string; cost: number }): Promise<void> {
    const { maxSlots } = await lockEntitlement(manager, userId);
    const others = (await slotHolders(manager, userId)).filter(({ id }) => id !== holder.id);
    requireAvailable(holder.cost, maxSlots - slotsOn(others));
  }

  /**
   * After an insert: a request may insert several rows, and each was checked against what was stored before all of them.
   * @param inserted slots of the row that was just inserted
   * @throws RestError P0001 with the sentence for the customer
   */
  async requireNotExceeded(manager: EntityManager, userId: string, inserted: number): Promise<void> {
    const { maxSlots } = await lockEntitlement(manager, userId);
    requireAvailable(inserted, maxSlots - (await usedSlots(manager, userId)) + inserted);
  }

  /** Publishes how many slots the customer uses now. */
  async publishUsed(manager: EntityManager, userId: string): Promise<void> {
    await lockEntitlement(manager, userId);
    const used = await usedSlots(manager, userId);
    const row = await rowOf<{ slots_sequence: string }>(
      manager,
      `update entitlements set slots_sequence = slots_sequence + 1 where user_id = $1 returning slots_sequence`,
      [userId],
    );
    if (row) await this.outbox.add(manager, slotsChanged, { userId, used, sequence: Number(row.slots_sequence) }, { subject: userId });
  }
}

function requireAvailable(needed: number, available: number): void {
  if (available < needed) throw refusedFor(slotsRefusal(needed, Math.max(0, available)));
}
