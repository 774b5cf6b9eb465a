import { containsSession, misplacedSessionText, quotas, quotaTexts } from '@decola/contracts';
import { addTombstone } from '@decola/messaging';
import type { Clock } from '@decola/service-kit';
import { defineTable, raw, refusedFor, sql, type TableDefinition } from '@decola/table-api';
import type { DownloadLinks } from '../files/download-links.js';
import { listToInsert } from './extracted-data.hooks.js';

/** In characters. Older clients send a whole file in `csv_url`; it is accepted and not stored (rest-v1, trap 7). */
const maxFileLength = 10 * 1024 * 1024;

const insertable = ['user_id', 'automation_id', 'data_type', 'csv_url', 'file_name', 'total_records'];

/**
 * Lists of people, as customers see them. The service opens a list itself when its automation is published; the row that the wizard also posts
 * (rest-v1, call 18) is answered by that list. Clients never write totals, states and links.
 */
export function extractedDataTable(links: DownloadLinks, clock: Clock): TableDefinition {
  return defineTable({
    name: 'extracted_data',
    primaryKey: 'id',
    columns: {
      id: { type: 'uuid' },
      user_id: { type: 'uuid' },
      automation_id: { type: 'uuid' },
      data_type: { type: 'text', maxLength: 50 },
      csv_url: { type: 'text', maxLength: maxFileLength },
      xlsx_url: { type: 'text', expression: raw('null::text') },
      file_name: { type: 'text', maxLength: 255 },
      total_records: { type: 'integer' },
      profile_total: { type: 'integer' },
      state: { type: 'text' },
      state_reason: { type: 'text' },
      created_at: { type: 'timestamptz' },
    },
    rules: (caller) => {
      if (caller.role !== 'authenticated') return {};
      const own = sql`t.user_id = ${caller.userId}`;
      const ownWithAutomation = sql`t.user_id = ${caller.userId} and exists (
        select 1 from automations a where a.automation_id = t.automation_id and a.user_id = ${caller.userId})`;
      return {
        select: {
          where: own,
          overrides: {
            csv_url: links.linkSql(caller.userId),
            xlsx_url: links.linkSql(caller.userId, 'xlsx'),
            file_name: sql`case when t.total_records = 0 then '' else t.file_name end`,
          },
        },
        // The event about the automation may still be on its way: the hook waits for it, and the check follows.
        insert: { check: ownWithAutomation, precheck: own, columns: insertable },
        update: { where: own, check: ownWithAutomation, columns: ['file_name'] },
        delete: { where: own },
      };
    },
    quota: (caller) =>
      caller.role === 'authenticated'
        ? { rows: sql`t.user_id = ${caller.userId} and t.total_records = 0`, maxRows: quotas.emptyLists, refusal: quotaTexts.emptyLists }
        : undefined,
    hooks: {
      beforeInsert: listToInsert,
      beforeUpdate: (_, __, patch) => {
        if (containsSession(patch)) throw refusedFor(misplacedSessionText);
        return patch;
      },
      // Pages that a running browser worker still reports for this list are dropped.
      afterDelete: ({ manager }, row) => addTombstone(manager, String(row['id']), clock.now()),
    },
  });
}
