import { type Caller } from '@decola/service-kit';
import { defineTable, sql } from '@decola/table-api';

const own = (caller: Caller) => (caller.role === 'authenticated' ? { select: { where: sql`t.user_id = ${caller.userId}` } } : {});

/** What ran, read-only: the customer's diary of runs. */
export const automationRunsTable = defineTable({
  name: 'automation_runs',
  relation: 'runs',
  primaryKey: 'id',
  columns: {
    id: { type: 'uuid' },
    automation_id: { type: 'uuid' },
    user_id: { type: 'uuid' },
    kind: { type: 'text' },
    state: { type: 'text' },
    outcome: { type: 'text' },
    reason: { type: 'text' },
    queued_at: { type: 'timestamptz' },
    started_at: { type: 'timestamptz' },
    finished_at: { type: 'timestamptz' },
    tried: { type: 'integer' },
    confirmed: { type: 'integer' },
    skipped: { type: 'integer' },
    pages: { type: 'integer' },
  },
  rules: own,
});

/** What was done to whom, read-only: a line for each person, with its outcome, its proof or why they were passed over. */
export const automationActionsTable = defineTable({
  name: 'automation_actions',
  relation: 'run_diary',
  primaryKey: 'id',
  columns: {
    id: { type: 'uuid' },
    automation_id: { type: 'uuid' },
    user_id: { type: 'uuid' },
    run_id: { type: 'uuid' },
    action: { type: 'text' },
    target_id: { type: 'text' },
    target_username: { type: 'text' },
    outcome: { type: 'text' },
    skip_reason: { type: 'text' },
    proof: { type: 'jsonb' },
    settled: { type: 'boolean' },
    at: { type: 'timestamptz' },
  },
  rules: own,
});
