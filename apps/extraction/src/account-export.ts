import { exportQuery, exportRows, type ExportSource } from '@decola/database';
import { type CsvPerson, csvOf, csvRecord } from './files/csv.js';
import { rowsOf } from './rows.js';

const lists: ExportSource = exportQuery({
  name: 'extracoes/listas.json',
  about: 'As listas que você extraiu: de onde, quantas pessoas e em que situação. Cada lista com pessoas tem o seu arquivo CSV ao lado.',
  query: `select e.id, e.automation_id as automacao, a.name as nome_da_automacao, e.data_type as tipo, e.file_name as arquivo, e.total_records as pessoas,
    e.profile_total as total_do_perfil, e.state as situacao, e.state_reason as motivo, e.collected_at as coletada_em, e.completed_at as concluida_em,
    e.created_at as criada_em from extracted_data e join automations a using (automation_id) where e.user_id = $1 order by e.created_at, e.id`,
});

async function* peopleOf(batches: AsyncIterable<CsvPerson[]>): AsyncGenerator<string[][]> {
  for await (const people of batches) yield people.map(csvRecord);
}

/** The same file that the dashboard gives, for each list that holds somebody. */
const people: ExportSource = async function* ({ caller, manager }) {
  const found = await rowsOf<{ id: string; data_type: string }>(
    manager,
    'select id, data_type from extracted_data where user_id = $1 and total_records > 0 order by created_at, id',
    [caller.userId],
  );
  for (const { id, data_type: dataType } of found)
    yield {
      name: `extracoes/${dataType}-${id}.csv`,
      about: 'As pessoas de uma lista que você extraiu (o nome do arquivo termina com o id da lista). São dados de outras pessoas.',
      text: csvOf(
        peopleOf(
          exportRows<CsvPerson>(
            manager,
            `select username, full_name, network_user_id as user_id, is_private, is_verified, has_story, position, collected_at
             from collected_people where extracted_data_id = $1 order by position`,
            [id],
          ),
        ),
      ),
    };
};

/** What extraction holds about a person. */
export const accountExport: readonly ExportSource[] = [lists, people];
