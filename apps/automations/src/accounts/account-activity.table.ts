import { defineTable, ownRows } from '@decola/table-api';

/** What a customer's accounts did on each day, by action, read-only. */
export const accountActivityTable = defineTable({
  name: 'account_activity',
  primaryKey: 'id',
  columns: {
    id: { type: 'uuid' },
    user_id: { type: 'uuid' },
    instagram_account_id: { type: 'uuid' },
    day: { type: 'date' },
    action: { type: 'text' },
    confirmed: { type: 'integer' },
    skipped: { type: 'integer' },
    refused: { type: 'integer' },
    unconfirmed: { type: 'integer' },
  },
  rules: (caller) => ownRows(caller, [], ['select']),
});
