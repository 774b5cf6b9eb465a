import { defineTable, sql } from '@decola/table-api';

/** The catalogue, public. `price_id` is what create-checkout and change-plan take; null until the catalogue is provisioned. */
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

/** Whether a person ever had a subscription: their own row, written by billing alone. */
export const subscriptionsTable = defineTable({
  name: 'subscriptions',
  primaryKey: 'id',
  columns: { id: { type: 'uuid' }, user_id: { type: 'uuid' } },
  rules: (caller) => (caller.role === 'authenticated' ? { select: { where: sql`t.user_id = ${caller.userId}` } } : {}),
});
