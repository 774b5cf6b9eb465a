import { defineTable, ownRows } from '@decola/table-api';
import { pictureOfRun } from '../pictures/picture-columns.js';

/** The diary of runs, read-only. */
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
    picture_id: { type: 'uuid', expression: pictureOfRun },
  },
  rules: (caller) => ownRows(caller, [], ['select']),
});
