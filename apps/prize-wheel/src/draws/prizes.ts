import { prizeExtractorRules } from '@decola/contracts';
import { type Database, rowsOf } from '@decola/database';
import { type StockLevel, stockLevel } from './stock-level.js';

export type PrizeType = 'digital' | 'physical';

/** A prize as the wheel's owner offers it. */
export interface OfferedPrize {
  id: string;
  name: string;
  type: PrizeType;
  message: string;
  /** All units ever offered, those already won among them. */
  quantity: number;
}

/** A row of `wheel_prizes`. */
export interface PrizeRow {
  id: string;
  position: number;
  name: string;
  type: PrizeType;
  message: string;
  total: number;
  given: number;
  remaining: number;
  /** The level of the stock that the owner was told of. */
  announced: StockLevel;
  /** Each winner gets a coupon of their own. */
  hasCoupons: boolean;
}

/** Columns of `wheel_prizes` of which a `PrizeRow` is made. */
export const prizeColumns =
  'prize_id as id, position, name, type, message, total, given, remaining, announced, has_coupons as "hasCoupons"';

/** What a wheel offers now, in the order of the draw. */
export const offeredStock = (db: Database, automationId: string): Promise<PrizeRow[]> =>
  rowsOf<PrizeRow>(db, `select ${prizeColumns} from wheel_prizes where automation_id = $1 and retired_at is null order by position`, [
    automationId,
  ]);

/** The named prizes of a wheel's configuration, in their order; of two with the same id the first. Empty when the configuration is none of a wheel. */
export function offeredPrizes(configuration: unknown): OfferedPrize[] {
  const parsed = prizeExtractorRules.schema.safeParse(configuration);
  if (!parsed.success) return [];
  const byId = new Map<string, OfferedPrize>();
  for (const { id, name, type, message, quantity } of parsed.data.prizes ?? []) {
    if (name.trim() !== '' && !byId.has(id)) byId.set(id, { id, name: name.trim(), type, message, quantity });
  }
  return [...byId.values()];
}

/** What the public and the chain see of a stock; draws change only what is left of it. */
export const sameOffer = (before: readonly PrizeRow[], after: readonly PrizeRow[]): boolean =>
  before.length === after.length &&
  before.every(({ id, name, total }, index) => {
    const other = after[index];
    return other?.id === id && other.name === name && other.total === total;
  });

/**
 * The stock that an owner's edit leads to. Units that were won stay won: no edit changes `given`. A prize with coupons has as many units left as it has free
 * coupons. The owner is not told what their own edit did to the level of the stock.
 * @param coupons free coupons of each prize that gives coupons
 */
export function stockAfter(
  offered: readonly OfferedPrize[],
  known: ReadonlyMap<string, PrizeRow>,
  coupons: ReadonlyMap<string, number>,
): PrizeRow[] {
  return offered.map(({ id, name, type, message, quantity }, position) => {
    const before = known.get(id);
    const given = before?.given ?? 0;
    const free = coupons.get(id);
    const total = free === undefined ? quantity : given + free;
    const remaining = Math.max(total - given, 0);
    const announced = before?.total === total ? before.announced : stockLevel({ total, remaining });
    return { id, position, name, type, message, total, given, remaining, announced, hasCoupons: free !== undefined };
  });
}
