import { defineTable, sql, type TableDefinition } from '@decola/table-api';
import type { SecurityEvents } from './security-events.js';

/** A person's sessions. Deleting one ends it: nothing of the system takes it any more, within seconds. */
export function userSessionsTable(events: SecurityEvents): TableDefinition {
  return defineTable({
    name: 'user_sessions',
    relation: 'sessions',
    primaryKey: 'id',
    columns: {
      id: { type: 'uuid' },
      created_at: { type: 'timestamptz' },
      refreshed_at: { type: 'timestamptz' },
      user_agent: { type: 'text' },
      ip: { type: 'text' },
      aal: { type: 'text' },
      /** The session that asks. */
      is_current: { type: 'boolean', expression: sql`false` },
    },
    rules: (caller) => {
      if (caller.role !== 'authenticated') return {};
      const own = sql`t.user_id = ${caller.userId}`;
      return {
        select: { where: own, overrides: { is_current: sql`(t.id = ${caller.sessionId})` } },
        delete: { where: own },
      };
    },
    hooks: {
      afterDelete: async ({ manager, caller }) => {
        if (caller.role === 'authenticated') await events.record(caller.userId, 'session.ended', { manager });
      },
    },
  });
}

/** What concerned the account's safety. Read by its owner, written by the service alone. */
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
  rules: (caller) => (caller.role === 'authenticated' ? { select: { where: sql`t.user_id = ${caller.userId}` } } : {}),
});
