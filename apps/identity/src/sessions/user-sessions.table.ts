import { defineTable, sql, type TableDefinition } from '@decola/table-api';
import type { SecurityEvents } from '../security-events/security-events.service.js';

/** A person's sessions. Deleting a row ends the session: every service refuses its tokens within seconds. */
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
      /** True for the session of this request. */
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
