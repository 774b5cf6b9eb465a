import { formatPrizeCode, maskedHandle, readPrizeCode } from '@decola/contracts';
import { rowOf, rowsOf } from '@decola/database';
import { Outbox } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { returnUnit } from '../draws/return-unit.js';
import { Draws } from '../draws/draws.service.js';
import { announceStates, type ChangedPrize, type PrizeState, stateAt } from '../draws/prize-states.js';
import { refused } from '../refusals/function-refusal.js';
import { ownerTexts } from '../texts/texts.js';
import type { RedemptionBody } from './owner-bodies.js';

/** How long a delivery can be taken back: a slip of the finger, not a change of mind. */
export const undoMs = 24 * 60 * 60 * 1_000;

/** The columns of a prize that its owner sees, and those that events about it have. */
interface Prize extends ChangedPrize {
  instagram_handle: string;
  code: string;
  wheel_name: string;
  created_at: Date;
  delivered_at: Date | null;
  valid_until: Date | null;
  void_reason: string | null;
}

/** A change of a prize at the counter, in SQL: `$1` is the participation, and `values` begin with `$2`. */
interface Change {
  set: string;
  when: string;
  values: readonly unknown[];
}

/**
 * What the owner of a wheel does with a prize at the counter, by the code that the winner shows. Works while the wheel is off. Prizes of other people's wheels
 * are not found.
 */
@Injectable()
export class Redemptions {
  constructor(
    private readonly draws: Draws,
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  async act(ownerId: string, { code: typed, action, reason, allowAgain }: RedemptionBody) {
    const code = readPrizeCode(typed);
    const prize = code === undefined ? undefined : await this.find(ownerId, code);
    if (!prize) return refused(ownerTexts.unknownCode, 'not_found');
    switch (action) {
      case 'look':
        return found(prize);
      case 'deliver':
        return this.deliver(ownerId, prize);
      case 'undo':
        return this.undo(ownerId, prize);
      case 'void':
        return this.takeBack(ownerId, prize, { reason: reason?.trim() ?? '', allowAgain: allowAgain ?? false });
    }
  }

  private find(ownerId: string, code: string): Promise<Prize | undefined> {
    return rowOf<Prize>(
      this.dataSource.manager,
      `select p.id, p.automation_id, w.user_id, p.number, p.prize_id, p.instagram_handle, p.prize_won, p.prize_type, p.code, ${stateAt('$3')} as state,
         w.name as wheel_name, p.created_at, p.delivered_at, p.valid_until, p.void_reason
       from prize_wheel_participations p join wheels w on w.automation_id = p.automation_id where p.code = $1 and w.user_id = $2`,
      [code, ownerId, this.clock.now()],
    );
  }

  /** One conditional update decides between two counters. */
  private async deliver(ownerId: string, prize: Prize) {
    const isFirst = await this.change(prize, {
      set: `state = 'delivered', delivered_at = $2`,
      when: `state = 'won' and (valid_until is null or valid_until > $2)`,
      values: [this.clock.now()],
    });
    const now = await this.find(ownerId, prize.code);
    if (!now) return refused(ownerTexts.unknownCode, 'not_found');
    return isFirst ? found(now) : this.notWon(now);
  }

  private async undo(ownerId: string, prize: Prize) {
    const isUndone = await this.change(prize, {
      set: `state = 'won', delivered_at = null`,
      when: `state = 'delivered' and delivered_at >= $2`,
      values: [new Date(this.clock.now().getTime() - undoMs)],
    });
    if (!isUndone) return refused(prize.state === 'delivered' ? ownerTexts.tooLateToUndo : ownerTexts.notDelivered, 'not_undone');
    const now = await this.find(ownerId, prize.code);
    return now ? found(now) : refused(ownerTexts.unknownCode, 'not_found');
  }

  /** Takes a prize back: its unit can be won again, which the wheel's chain says. */
  private async takeBack(ownerId: string, prize: Prize, { reason, allowAgain }: { reason: string; allowAgain: boolean }) {
    if (reason === '') return refused(ownerTexts.reasonMissing, 'reason_missing');
    const isVoided = await this.change(
      prize,
      {
        set: `state = 'voided', void_reason = $2, blocks = not $3`,
        when: `state = 'won'`,
        values: [reason, allowAgain],
      },
      async (manager) => {
        const unit = { id: prize.id, automationId: prize.automation_id, number: Number(prize.number), prizeId: prize.prize_id };
        await returnUnit(manager, unit, this.draws.roundTools());
      },
    );
    const now = await this.find(ownerId, prize.code);
    if (!now) return refused(ownerTexts.unknownCode, 'not_found');
    return isVoided ? found(now) : this.notWon(now);
  }

  /** @param also what belongs to the change, in its transaction. @returns false when another change came first */
  private change(prize: Prize, { set, when, values }: Change, also?: (manager: EntityManager) => Promise<void>): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const [changed] = await rowsOf<{ state: PrizeState }>(
        manager,
        `update prize_wheel_participations set ${set} where id = $1 and ${when} returning state`,
        [prize.id, ...values],
      );
      if (!changed) return false;
      await announceStates(manager, this.outbox, [{ ...prize, state: changed.state }], this.clock.now());
      await also?.(manager);
      return true;
    });
  }

  /** Why a prize that nobody waits for any more cannot be delivered or taken back. */
  private notWon({ state, delivered_at: deliveredAt }: Prize) {
    if (state === 'delivered' && deliveredAt) return refused(ownerTexts.deliveredAlready(deliveredAt), 'delivered');
    return refused(state === 'expired' ? ownerTexts.expired : ownerTexts.voided, state);
  }
}

const found = (prize: Prize) => ({
  success: true,
  prize: {
    number: Number(prize.number),
    handle: maskedHandle(prize.instagram_handle),
    name: prize.prize_won,
    type: prize.prize_type,
    code: formatPrizeCode(prize.code),
    state: prize.state,
    wonAt: prize.created_at,
    deliveredAt: prize.delivered_at,
    automationId: prize.automation_id,
    wheelName: prize.wheel_name,
    validUntil: prize.valid_until,
    undoUntil: prize.state === 'delivered' && prize.delivered_at ? new Date(prize.delivered_at.getTime() + undoMs) : null,
    voidReason: prize.void_reason,
  },
});
