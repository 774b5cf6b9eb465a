import { defineTable, sql } from '@decola/table-api';

/** Identity's copy of billing's catalogue, served only as a relation of profiles. Billing serves the catalogue itself. */
export const subscriptionPlansTable = defineTable({
  name: 'subscription_plans',
  primaryKey: 'id',
  columns: { id: { type: 'uuid' }, key: { type: 'text' }, name: { type: 'text' }, max_slots: { type: 'integer' } },
  rules: () => ({ select: { where: sql`true` } }),
});
