import { defineTable, ownRows } from '@decola/table-api';

/** One row for each person who ever had a subscription. People read their own; billing alone writes. */
export const subscriptionsTable = defineTable({
  name: 'subscriptions',
  primaryKey: 'id',
  columns: { id: { type: 'uuid' }, user_id: { type: 'uuid' } },
  rules: (caller) => ownRows(caller, [], ['select']),
});
