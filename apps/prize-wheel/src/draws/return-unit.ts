import { unitsLeft } from '@decola/contracts';
import type { Database } from '@decola/database';
import { returnCoupon } from './coupons.js';
import { changeWheel } from './locked-wheel.js';
import { offeredStock } from './prizes.js';
import { addEntry, mayOpen, openRound, type RoundTools } from './rounds.js';

/**
 * Returns the unit of a participation that the transaction voided, with its coupon, under the wheel's lock. A wheel that had nothing left begins a new round, unless its owner
 * ended it.
 */
export async function returnUnit(
  db: Database,
  { id, automationId, number, prizeId }: { id: string; automationId: string; number: number; prizeId: string },
  tools: RoundTools,
): Promise<void> {
  await changeWheel(db, automationId, async (wheel) => {
    await db.query(
      `update wheel_prizes set given = given - 1,
         remaining = case when retired_at is null then greatest(total - (given - 1), 0) else 0 end where automation_id = $1 and prize_id = $2`,
      [automationId, prizeId],
    );
    await returnCoupon(db, id);
    await addEntry(db, wheel, ['void', number, prizeId]);
    if (!mayOpen(wheel, tools.now)) return;
    const stock = await offeredStock(db, automationId);
    if (unitsLeft(stock) > 0) await openRound(db, wheel, stock, tools);
  });
}
