import { defineTable, ownRows } from '@decola/table-api';

/** Followers, followed people and posts of a customer's accounts by day, read-only. */
export const accountGrowthTable = defineTable({
  name: 'account_growth',
  primaryKey: 'id',
  columns: {
    id: { type: 'uuid' },
    user_id: { type: 'uuid' },
    instagram_account_id: { type: 'uuid' },
    day: { type: 'date' },
    followers: { type: 'integer' },
    following: { type: 'integer' },
    posts: { type: 'integer' },
    seen_at: { type: 'timestamptz' },
  },
  rules: (caller) => ownRows(caller, [], ['select']),
});
