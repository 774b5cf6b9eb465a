import type { Caller } from '@decola/service-kit';
import { defineTable, sql } from '@decola/table-api';

/** Columns that a visitor's page names in its query. The query is accepted and returns no rows. */
const visitorColumns = ['id', 'prize_won', 'automation_id', 'instagram_handle'];

/**
 * Who spun a wheel, and what they won. Over rest/v1 the wheel's owner reads it and nobody writes it. For everybody else the table is empty: the
 * function of the public wheel says whether a handle has taken part, to callers who have the wheel's token (decision 0010).
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
