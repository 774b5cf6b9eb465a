import { defineTable, sql } from '@decola/table-api';

/** The catalogue, readable by everybody. `price_id` is what create-checkout and change-plan expect; null until the catalogue is provisioned. */
export const subscriptionPlansTable = defineTable({
  name: 'subscription_plans',
  primaryKey: 'id',
  columns: {
    id: { type: 'uuid' },
    key: { type: 'text' },
    name: { type: 'text' },
    description: { type: 'text' },
    max_slots: { type: 'integer' },
    price_cents: { type: 'integer' },
    price_id: { type: 'text', expression: sql`(select p.stripe_price_id from plan_prices p where p.plan_key = t.key and p.active)` },
    features: { type: 'text[]' },
    is_popular: { type: 'boolean' },
    trial_days: { type: 'integer' },
    position: { type: 'integer' },
  },
  rules: () => ({ select: { where: sql`true` } }),
});
