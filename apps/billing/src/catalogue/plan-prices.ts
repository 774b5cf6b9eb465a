import type { PlanKey } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';
import { type Plan, planByKey } from './plans.js';

interface PlanPriceRow {
  plan_key: PlanKey;
}

/** The plan that is on sale at this price now; undefined for every other price of our Stripe account. */
export async function findPlanOnSale(db: Database, priceId: string): Promise<Plan | undefined> {
  return toPlan(await rowOf<PlanPriceRow>(db, 'select plan_key from plan_prices where stripe_price_id = $1 and active', [priceId]));
}

/** The plan of a price, on sale now or earlier: existing subscribers keep old prices. */
export async function findPlanByPrice(db: Database, priceId: string): Promise<Plan | undefined> {
  return toPlan(await rowOf<PlanPriceRow>(db, 'select plan_key from plan_prices where stripe_price_id = $1', [priceId]));
}

function toPlan(row: PlanPriceRow | undefined): Plan | undefined {
  return row && planByKey(row.plan_key);
}
