import { defineTable, ownRows, sql } from '@decola/table-api';

/** The security history of an account. Its owner reads it; only the service writes it. */
export const securityEventsTable = defineTable({
  name: 'security_events',
  primaryKey: 'id',
  columns: {
    id: { type: 'bigint' },
    kind: { type: 'text' },
    ip: { type: 'text' },
    user_agent: { type: 'text' },
    created_at: { type: 'timestamptz', expression: sql`t.at` },
  },
  rules: (caller) => ownRows(caller, [], ['select']),
});
