import { type PayloadOf, type prizeStockLow, unitsLeft } from '@decola/contracts';
import type { LockedWheel } from './locked-wheel.js';
import type { PrizeRow } from './prizes.js';
import type { KnownWheel } from './stock-cache.js';
import { newLevel, stockLevelKind } from './stock-level.js';

/**
 * What the owner is told of the stock after units of these prizes were won: each level once, until they change the number of units. Remembers it in wheel and
 * prizes.
 */
export function newLevels(
  wheel: LockedWheel,
  { userId, stock }: KnownWheel,
  won: readonly PrizeRow[],
  now: Date,
): { subject: string; payload: PayloadOf<typeof prizeStockLow> }[] {
  const whole = { total: stock.reduce((sum, { total }) => sum + total, 0), remaining: unitsLeft(stock) };
  const stocks = [
    ...won.map((prize) => ({ of: prize, prizeId: prize.id, prizeName: prize.name, units: prize })),
    { of: wheel, prizeId: null, prizeName: null, units: whole },
  ];
  return stocks.flatMap(({ of, prizeId, prizeName, units: { total, remaining } }) => {
    const level = newLevel({ total, remaining }, of.announced);
    if (level === undefined) return [];
    of.announced = level;
    const payload = {
      automationId: wheel.id,
      userId,
      prizeId,
      prizeName,
      kind: stockLevelKind(level),
      remaining,
      total,
      at: now.toISOString(),
    };
    return [{ subject: wheel.id, payload }];
  });
}
