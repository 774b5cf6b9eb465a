import { markGone } from '@decola/messaging';
import type { Caller, Clock } from '@decola/service-kit';
import { defineTable, ExistingRow, type HookContext, RestError, type Row, sql, type TableDefinition } from '@decola/table-api';
import type { DownloadLinks } from '../files/download-links.js';
import { rowOf } from '../rows.js';

/** How long the wizard's row waits for the news of the automation that the wizard has just made. */
const waitForNewsMs = 2_000;
const lookEveryMs = 50;
/** Requests that may wait at once; each holds a connection, and no more than these shall. */
const mostWaiting = 3;
let waiting = 0;

interface Parent {
  user_id: string;
  extracted_data_id: string | null;
}

/**
 * Lists of people as customers see them. The service opens a list itself when its automation is published; the row that the wizard
 * posts beside (rest-v1, call 18) is answered by the one that is there. Totals, states and links are the service's alone.
 */
export function extractedDataTable(links: DownloadLinks, clock: Clock): TableDefinition {
  return defineTable({
    name: 'extracted_data',
    primaryKey: 'id',
    columns: {
      id: { type: 'uuid' },
      user_id: { type: 'uuid' },
      automation_id: { type: 'uuid' },
      data_type: { type: 'text' },
      csv_url: { type: 'text' },
      file_name: { type: 'text' },
      total_records: { type: 'integer' },
      profile_total: { type: 'integer' },
      state: { type: 'text' },
      state_reason: { type: 'text' },
      created_at: { type: 'timestamptz' },
    },
    rules: (caller: Caller) => {
      if (caller.role !== 'authenticated') return {};
      const own = sql`t.user_id = ${caller.userId}`;
      const ownParent = sql`t.user_id = ${caller.userId} and exists (
        select 1 from automations a where a.automation_id = t.automation_id and a.user_id = ${caller.userId})`;
      return {
        select: {
          where: own,
          overrides: {
            csv_url: links.linkOf(caller.userId),
            file_name: sql`case when t.total_records = 0 then '' else t.file_name end`,
          },
        },
        insert: { check: ownParent, columns: ['user_id', 'automation_id', 'data_type', 'csv_url', 'file_name', 'total_records'] },
        update: { where: own, check: ownParent, columns: ['file_name'] },
        delete: { where: own },
      };
    },
    hooks: {
      beforeInsert,
      // What a run still reads for it is dropped.
      afterDelete: ({ manager }, row) => markGone(manager, String(row['id']), clock.now()),
    },
  });
}

/** @throws RestError 42501 when the automation is not the caller's. */
async function beforeInsert({ manager, caller }: HookContext, row: Row): Promise<Row | ExistingRow> {
  const { csv_url: _link, file_name: _name, total_records: total, ...kept } = row;
  if (total !== undefined && total !== null && total !== 0) throw new RestError(403, '42501', 'permission denied for table extracted_data');
  const { automation_id: automationId, user_id: userId, data_type: dataType } = kept;
  // What is no own row is refused by the table's rule and its constraints.
  if (caller.role !== 'authenticated' || userId !== caller.userId || typeof automationId !== 'string') return kept;
  const parent = await parentOf(manager, automationId);
  if (parent?.user_id !== caller.userId)
    throw new RestError(403, '42501', 'new row violates row-level security policy for table "extracted_data"');
  const existing = await rowOf<{ id: string }>(
    manager,
    `select id from extracted_data where automation_id = $1 and user_id = $2 and (id = $3 or (data_type = $4 and total_records = 0 and state = 'waiting'))
     order by (id = $3) desc nulls last, created_at desc limit 1`,
    [automationId, caller.userId, parent.extracted_data_id, dataType],
  );
  return existing ? new ExistingRow(existing.id) : kept;
}

/** The automation's copy; it may be on its way, since the wizard posts both at once. */
async function parentOf(manager: HookContext['manager'], automationId: string): Promise<Parent | undefined> {
  const look = () =>
    rowOf<Parent>(manager, 'select user_id, extracted_data_id from automations where automation_id = $1::uuid', [automationId]);
  const found = await look();
  if (found || waiting >= mostWaiting) return found;
  waiting += 1;
  try {
    for (const end = Date.now() + waitForNewsMs; Date.now() < end;) {
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
      const late = await look();
      if (late) return late;
    }
    return undefined;
  } finally {
    waiting -= 1;
  }
}
