import type { Caller } from '@decola/service-kit';
import { defineTable, sql } from '@decola/table-api';

/** What a visitor's page names in its call; it gets no row by it. */
const visitorColumns = ['id', 'prize_won', 'automation_id', 'instagram_handle'];

/**
 * Who spun, and what they won. The wheel's owner reads it; nobody writes it over rest/v1. Everybody else finds it empty: whether a
 * handle has taken part is told by the wheel's own call, to those who have its token.
 */
export const participationsTable = defineTable({
  name: 'prize_wheel_participations',
  primaryKey: 'id',
  columns: {
    id: { type: 'uuid' },
    automation_id: { type: 'uuid' },
    instagram_handle: { type: 'text' },
    prize_won: { type: 'text' },
    created_at: { type: 'timestamptz' },
  },
  rules: (caller: Caller) =>
    caller.role === 'authenticated'
      ? { select: { where: sql`exists (select 1 from wheels w where w.automation_id = t.automation_id and w.user_id = ${caller.userId})` } }
      : { select: { where: sql`false`, columns: visitorColumns } },
});
