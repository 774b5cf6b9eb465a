import { defineTable, ownRows } from '@decola/table-api';

/** How many of the people whom an account followed follow it back, read-only: a view of the ledger. */
export const followBacksTable = defineTable({
  name: 'follow_backs',
  primaryKey: 'id',
  columns: {
    id: { type: 'uuid' },
    user_id: { type: 'uuid' },
    instagram_account_id: { type: 'uuid' },
    days: { type: 'integer' },
    followed: { type: 'integer' },
    seen: { type: 'integer' },
    followed_back: { type: 'integer' },
  },
  rules: (caller) => ownRows(caller, [], ['select']),
});
