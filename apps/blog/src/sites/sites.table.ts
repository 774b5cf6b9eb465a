import { defineTable, ownRows } from '@decola/table-api';

/** Sites of customers, read-only. What they have published is not shown: it is long, and it is theirs. */
export const sitesTable = defineTable({
  name: 'sites',
  primaryKey: 'id',
  columns: {
    id: { type: 'uuid' },
    user_id: { type: 'uuid' },
    site_key: { type: 'text' },
    origin_url: { type: 'text' },
    host: { type: 'text' },
    door: { type: 'text' },
    kind: { type: 'text' },
    plugin_version: { type: 'text' },
    capabilities: { type: 'jsonb' },
    checked_at: { type: 'timestamptz' },
    problem_code: { type: 'text' },
    problem_reason: { type: 'text' },
    pickup_code: { type: 'text' },
    pickup_asked_at: { type: 'timestamptz' },
    created_at: { type: 'timestamptz' },
    updated_at: { type: 'timestamptz' },
  },
  rules: (caller) => ownRows(caller, [], ['select']),
});
