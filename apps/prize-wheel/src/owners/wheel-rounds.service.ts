import { unitsLeft } from '@decola/contracts';
import { rowOf } from '@decola/database';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Draws } from '../draws/draws.service.js';
import { changeWheel } from '../draws/locked-wheel.js';
import { offeredStock } from '../draws/prizes.js';
import { closeRound, openRound } from '../draws/rounds.js';
import { refused } from '../refusals/function-refusal.js';
import { ownerTexts } from '../texts/texts.js';
import type { RoundBody } from './owner-bodies.js';

/** Ends the round of a wheel, which shows its seed, or begins the next one. Repeating an action changes nothing. */
@Injectable()
export class WheelRounds {
  constructor(
    private readonly draws: Draws,
    private readonly dataSource: DataSource,
  ) {}

  async act(ownerId: string, { automationId, action }: RoundBody) {
    const owned = await rowOf(this.dataSource.manager, `select 1 from wheels where automation_id = $1 and user_id = $2`, [
      automationId,
      ownerId,
    ]);
    if (!owned) return refused(ownerTexts.unknownWheel, 'not_found');
    const tools = this.draws.roundTools();
    const answer = await this.dataSource.transaction((manager) =>
      changeWheel(manager, automationId, async (wheel) => {
        if (action === 'close' && wheel.isOpen) await closeRound(manager, wheel, tools);
        if (action === 'open' && !wheel.isOpen) {
          if (wheel.endsAt && wheel.endsAt <= tools.now) return refused(ownerTexts.promotionOver, 'ended');
          const stock = await offeredStock(manager, automationId);
          if (unitsLeft(stock) === 0) return refused(ownerTexts.nothingLeft, 'exhausted');
          await openRound(manager, wheel, stock, tools);
        }
        wheel.isEnded = action === 'close';
        return { success: true, round: wheel.round, isOpen: wheel.isOpen };
      }),
    );
    return answer ?? refused(ownerTexts.neverPublished, 'draft');
  }
}
