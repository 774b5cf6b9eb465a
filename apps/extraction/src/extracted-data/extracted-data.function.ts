import { rowsOf } from '@decola/database';
import type { Caller } from '@decola/service-kit';
import { defineFunction, denied, type FunctionDefinition, sql } from '@decola/table-api';
import type { DownloadLinks } from '../files/download-links.js';

/** @returns the caller's user id @throws RestError 42501 for anonymous callers */
function requireUser(caller: Caller, functionName: string): string {
  if (caller.role !== 'authenticated') throw denied(true, `permission denied for function ${functionName}`);
  return caller.userId;
}

export function extractionFunctions(links: DownloadLinks): FunctionDefinition[] {
  return [
    /**
     * Links, file name and total of a list of one of the caller's automations: of the newest finished one that has people, so that it can be
     * downloaded while another is collected; else of the newest with people, else of the newest. No row for other people's automations.
     */
    defineFunction({
      name: 'get_latest_extraction',
      arguments: { p_automation_id: 'uuid' },
      returns: 'set',
      call: ({ manager, caller }, { p_automation_id }) => {
        const userId = requireUser(caller, 'get_latest_extraction');
        const { text, values } = sql`
          select ${links.linkSql(userId)} as csv_url, ${links.linkSql(userId, 'xlsx')} as xlsx_url, case when t.total_records = 0 then '' else t.file_name end as file_name, t.total_records
          from extracted_data t where t.automation_id = ${p_automation_id} and t.user_id = ${userId}
          order by t.total_records > 0 and t.state in ('complete', 'ended_short') desc, t.total_records > 0 desc, t.created_at desc limit 1`.render();
        return rowsOf(manager, text, values);
      },
    }),
    /**
     * The caller's lists that have people, which other automations can use as targets: first the newest list of each automation, then the older
     * ones (`is_newest` false); each group newest first.
     */
    defineFunction({
      name: 'get_extracted_slots',
      arguments: { p_user_id: 'uuid', p_allowed_types: 'text[]' },
      returns: 'set',
      call: async ({ manager, caller }, { p_user_id, p_allowed_types }) => {
        const userId = requireUser(caller, 'get_extracted_slots');
        if (userId !== p_user_id) throw denied(false, 'permission denied for function get_extracted_slots');
        return rowsOf(
          manager,
          `select id, automation_name, data_type, total_records, to_json(created_at) #>> '{}' as created_at, is_newest
           from (select e.id, a.name as automation_name, e.data_type, e.total_records, e.created_at,
               row_number() over (partition by e.automation_id order by e.created_at desc) = 1 as is_newest
             from extracted_data e join automations a on a.automation_id = e.automation_id
             where e.user_id = $1 and e.total_records > 0 and e.data_type = any($2::text[])) lists
           order by is_newest desc, lists.created_at desc`,
          [userId, p_allowed_types],
        );
      },
    }),
  ];
}
