import type { PlanKey } from '@decola/contracts';
import type { EntityManager } from 'typeorm';
import { type Plan, planByKey } from './plans.js';

/** The plan that is sold by this price now; undefined for any other price, also one of the same account. */
export async function planOnSale(manager: EntityManager, priceId: string): Promise<Plan | undefined> {
  return planOf(
    await manager.query<{ plan_key: PlanKey }[]>('select plan_key from plan_prices where stripe_price_id = $1 and active', [priceId]),
  );
}

/** The plan of a price that was ever sold: existing subscribers keep old prices. */
export async function planEverSold(manager: EntityManager, priceId: string): Promise<Plan | undefined> {
  return planOf(await manager.query<{ plan_key: PlanKey }[]>('select plan_key from plan_prices where stripe_price_id = $1', [priceId]));
}

function planOf([row]: { plan_key: PlanKey }[]): Plan | undefined {
  return row && planByKey(row.plan_key);
}
