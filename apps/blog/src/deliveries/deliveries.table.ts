import { defineTable, ownRows } from '@decola/table-api';

/** Deliveries of articles, read-only. */
export const deliveriesTable = defineTable({
  name: 'deliveries',
  primaryKey: 'id',
  columns: {
    id: { type: 'uuid' },
    user_id: { type: 'uuid' },
    blog_automation_id: { type: 'uuid' },
    article_id: { type: 'uuid' },
    site_id: { type: 'uuid' },
    revision: { type: 'integer' },
    state: { type: 'text' },
    code: { type: 'text' },
    reason: { type: 'text' },
    attempt: { type: 'integer' },
    next_attempt_at: { type: 'timestamptz' },
    post_id: { type: 'bigint' },
    public_url: { type: 'text' },
    edit_url: { type: 'text' },
    seen_at: { type: 'timestamptz' },
    created_at: { type: 'timestamptz' },
    updated_at: { type: 'timestamptz' },
  },
  rules: (caller) => ownRows(caller, [], ['select']),
});

/** Calls to sites, read-only. */
export const deliveryAttemptsTable = defineTable({
  name: 'delivery_attempts',
  primaryKey: 'id',
  columns: {
    id: { type: 'uuid' },
    delivery_id: { type: 'uuid' },
    user_id: { type: 'uuid' },
    operation: { type: 'text' },
    status: { type: 'integer' },
    code: { type: 'text' },
    ms: { type: 'integer' },
    excerpt: { type: 'text' },
    at: { type: 'timestamptz' },
  },
  rules: (caller) => ownRows(caller, [], ['select']),
});
