import { isAdminMaster } from '@decola/service-kit';
import { defineTable, type TableDefinition, sql } from '@decola/table-api';

const columns = {
  id: { type: 'uuid' },
  user_id: { type: 'uuid' },
  origin: { type: 'text' },
  blog_automation_id: { type: 'uuid' },
  state: { type: 'text' },
  reason_code: { type: 'text' },
  reason: { type: 'text' },
  step: { type: 'text' },
  progress: { type: 'integer' },
  keyword: { type: 'text' },
  title: { type: 'text' },
  article_id: { type: 'uuid' },
  refreshes_run_id: { type: 'uuid' },
  tokens: { type: 'integer' },
  // In R$.
  cost: { type: 'numeric' },
  quality: { type: 'jsonb' },
  retry_at: { type: 'timestamptz' },
  occurrence_at: { type: 'timestamptz' },
  created_at: { type: 'timestamptz' },
  updated_at: { type: 'timestamptz' },
} as const satisfies TableDefinition['columns'];

/** What we pay for an article, and what its gate found, are for administrators. */
const columnsOfOwners = Object.keys(columns).filter((column) => column !== 'cost' && column !== 'quality');

/** Runs of articles, read-only: people see their own, editors also those of our own blog. Texts of unfinished steps are not shown. */
export const articleRunsTable = defineTable({
  name: 'article_runs',
  primaryKey: 'id',
  columns,
  rules: (caller) => {
    if (caller.role !== 'authenticated') return {};
    const own = sql`t.user_id = ${caller.userId}`;
    return isAdminMaster(caller)
      ? { select: { where: sql`(${own} or t.origin = 'editorial')` } }
      : { select: { where: own, columns: columnsOfOwners } };
  },
});
