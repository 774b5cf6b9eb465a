import type { PayloadOf, prizeStockLow } from '@decola/contracts';

/** How far a stock went down: 0 more than a tenth is left, 1 a tenth or less, 2 nothing. */
export type StockLevel = 0 | 1 | 2;

export function stockLevel({ total, remaining }: { total: number; remaining: number }): StockLevel {
  if (remaining === 0) return 2;
  return remaining * 10 <= total ? 1 : 0;
}

export const stockLevelKind = (level: 1 | 2): PayloadOf<typeof prizeStockLow>['kind'] => (level === 1 ? 'low' : 'sold_out');

/** The level to tell the owner of, who was told of `announced` before; undefined when there is nothing new. */
export function newLevel(stock: { total: number; remaining: number }, announced: StockLevel): 1 | 2 | undefined {
  const level = stockLevel(stock);
  return level > announced && level !== 0 ? level : undefined;
}
