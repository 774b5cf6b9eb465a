import type { FunctionRefusal } from './refusal.js';

/** Most coupons of one prize, and of one call. */
export const couponLimits = { perPrize: 100_000, perCall: 5_000, length: 200 } as const;

/** A coupon as the wheel's owner sees it. */
export interface PrizeCoupon {
  code: string;
  /** Number of the participation that won it; null while it is free. */
  number: number | null;
}

/**
 * Body: `{automationId, prizeId, action: 'add' | 'list' | 'remove', codes?, after?}`. A prize with coupons has as many units as it has coupons. `add`
 * skips coupons that the prize already has. `remove` takes only free coupons: those in `codes`; without `codes` all of them, and when none was won the
 * prize goes on without coupons, with the quantity of its configuration. `list` answers up to 1,000 from `after`.
 */
export type PrizeCodesAnswer =
  | {
      success: true;
      /** Coupons of the prize, those that were won included. */
      total: number;
      free: number;
      /** How many this call added or removed. */
      changed: number;
      codes: PrizeCoupon[];
      /** `after` of the next page of a list; null when there is none. */
      next: string | null;
    }
  | FunctionRefusal;
