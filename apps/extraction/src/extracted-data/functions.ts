import type { Caller } from '@decola/service-kit';
import { defineFunction, denied, type FunctionDefinition, sql } from '@decola/table-api';
import type { DownloadLinks } from '../files/download-links.js';
import { rowsOf } from '../rows.js';

/** @throws RestError 42501 for anonymous callers. */
function personOf(caller: Caller, functionName: string): string {
  if (caller.role !== 'authenticated') throw denied(true, `permission denied for function ${functionName}`);
  return caller.userId;
}

export function extractionFunctions(links: DownloadLinks): FunctionDefinition[] {
  return [
    /** File and total of an own automation's newest list; no row for anybody else's. */
    defineFunction({
      name: 'get_latest_extraction',
      arguments: { p_automation_id: 'uuid' },
      returns: 'set',
      call: ({ manager, caller }, { p_automation_id }) => {
        const userId = personOf(caller, 'get_latest_extraction');
        const { text, values } = sql`
          select ${links.linkOf(userId)} as csv_url, case when t.total_records = 0 then '' else t.file_name end as file_name, t.total_records
          from extracted_data t where t.automation_id = ${p_automation_id} and t.user_id = ${userId}
          order by t.created_at desc limit 1`.render();
        return rowsOf(manager, text, values);
      },
    }),
    /** The caller's lists that have people in them, newest first: what other automations may work on. */
    defineFunction({
      name: 'get_extracted_slots',
      arguments: { p_user_id: 'uuid', p_allowed_types: 'text[]' },
      returns: 'set',
      call: async ({ manager, caller }, { p_user_id, p_allowed_types }) => {
        const userId = personOf(caller, 'get_extracted_slots');
        if (userId !== p_user_id) throw denied(false, 'permission denied for function get_extracted_slots');
        return rowsOf(
          manager,
          `select e.id, a.name as automation_name, e.data_type, e.total_records,
             to_json(e.created_at) #>> '{}' as created_at
           from extracted_data e join automations a on a.automation_id = e.automation_id
           where e.user_id = $1 and e.total_records > 0 and e.data_type = any($2::text[])
           order by e.created_at desc`,
          [userId, p_allowed_types],
        );
      },
    }),
  ];
}
