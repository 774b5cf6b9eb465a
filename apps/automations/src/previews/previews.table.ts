import { defineTable, ownRows } from '@decola/table-api';

/** Dry runs of automations, read-only. `preview_automation` makes them. */
export const previewsTable = defineTable({
  name: 'previews',
  primaryKey: 'id',
  columns: {
    id: { type: 'uuid' },
    automation_id: { type: 'uuid' },
    user_id: { type: 'uuid' },
    state: { type: 'text' },
    reason: { type: 'text' },
    items: { type: 'jsonb' },
    created_at: { type: 'timestamptz' },
    finished_at: { type: 'timestamptz' },
  },
  rules: (caller) => ownRows(caller, [], ['select']),
});
