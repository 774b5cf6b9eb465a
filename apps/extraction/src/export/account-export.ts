import { exportQuery, exportRows, type ExportSource, rowsOf } from '@decola/database';
import { csvStream } from '../files/csv.js';
import type { DataType } from '@decola/contracts';
import { listFileOf, type ListRow } from '../files/list-files.js';
import { exportTexts } from '../texts/texts.js';

const lists: ExportSource = exportQuery({
  name: 'extracoes/listas.json',
  about: exportTexts.lists,
  query: `select e.id, e.automation_id as automacao, a.name as nome_da_automacao, e.data_type as tipo, e.file_name as arquivo, e.total_records as pessoas,
    e.profile_total as total_do_perfil, e.state as situacao, e.state_reason as motivo, e.collected_at as coletada_em, e.completed_at as concluida_em,
    e.created_at as criada_em from extracted_data e join automations a using (automation_id) where e.user_id = $1 order by e.created_at, e.id`,
});

/** For each list with rows, the same CSV file that the dashboard offers. */
const people: ExportSource = async function* ({ caller, manager }) {
  const found = await rowsOf<{ id: string; data_type: DataType }>(
    manager,
    'select id, data_type from extracted_data where user_id = $1 and total_records > 0 order by created_at, id',
    [caller.userId],
  );
  for (const { id, data_type: dataType } of found) {
    const { columns, query } = listFileOf(dataType);
    yield {
      name: `extracoes/${dataType}-${id}.csv`,
      about: exportTexts.people,
      text: csvStream(columns, exportRows<ListRow>(manager, `${query} order by position`, [id])),
    };
  }
};

/** Without their secrets. */
const webhooks: ExportSource = exportQuery({
  name: 'extracoes/webhooks.json',
  about: exportTexts.webhooks,
  query: `select w.automation_id as automacao, a.name as nome_da_automacao, w.url as endereco, w.state as situacao, w.created_at as criado_em
    from lead_webhooks w join automations a using (automation_id) where w.user_id = $1 order by w.created_at, w.automation_id`,
});

/** What extraction stores about a person. */
export const accountExport: readonly ExportSource[] = [lists, people, webhooks];
