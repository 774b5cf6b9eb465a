import { defineTable, sql } from '@decola/table-api';

/** Why articles of people's own sites should be written anew, read-only: `refresh-article` decides. */
export const refreshProposalsTable = defineTable({
  name: 'refresh_proposals',
  primaryKey: 'id',
  columns: {
    id: { type: 'uuid' },
    user_id: { type: 'uuid' },
    article_id: { type: 'uuid' },
    reason: { type: 'text' },
    detail: { type: 'jsonb' },
    state: { type: 'text' },
    created_at: { type: 'timestamptz' },
    updated_at: { type: 'timestamptz' },
  },
  rules: (caller) => (caller.role === 'authenticated' ? { select: { where: sql`t.user_id = ${caller.userId}` } } : {}),
});

/** New texts of articles of people's own sites, read-only. What the gate found in them is not shown. */
export const articleRefreshesTable = defineTable({
  name: 'article_refreshes',
  primaryKey: 'id',
  columns: {
    id: { type: 'uuid' },
    user_id: { type: 'uuid' },
    article_id: { type: 'uuid' },
    run_id: { type: 'uuid' },
    state: { type: 'text' },
    reasons: { type: 'text[]' },
    title: { type: 'text' },
    content_html: { type: 'text' },
    claims: { type: 'jsonb' },
    problem: { type: 'text' },
    until: { type: 'timestamptz' },
    created_at: { type: 'timestamptz' },
    updated_at: { type: 'timestamptz' },
  },
  rules: (caller) => (caller.role === 'authenticated' ? { select: { where: sql`t.user_id = ${caller.userId}` } } : {}),
});
