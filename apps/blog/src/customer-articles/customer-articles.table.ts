import { defineTable, sql } from '@decola/table-api';

/** Articles of people's own sites, read-only: functions change and decide them. What the gate found in them is not shown. */
export const customerArticlesTable = defineTable({
  name: 'customer_articles',
  primaryKey: 'id',
  columns: {
    id: { type: 'uuid' },
    user_id: { type: 'uuid' },
    blog_automation_id: { type: 'uuid' },
    run_id: { type: 'uuid' },
    site_key: { type: 'text' },
    revision: { type: 'integer' },
    title: { type: 'text' },
    slug: { type: 'text' },
    content_html: { type: 'text' },
    excerpt: { type: 'text' },
    category: { type: 'text' },
    tags: { type: 'text[]' },
    meta: { type: 'jsonb' },
    image: { type: 'jsonb' },
    claims: { type: 'jsonb' },
    publish_mode: { type: 'text' },
    state: { type: 'text' },
    reason: { type: 'text' },
    approval_until: { type: 'timestamptz' },
    created_at: { type: 'timestamptz' },
    updated_at: { type: 'timestamptz' },
  },
  rules: (caller) => (caller.role === 'authenticated' ? { select: { where: sql`t.user_id = ${caller.userId}` } } : {}),
});
