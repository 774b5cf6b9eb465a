import { exportQuery, type ExportSource } from '@decola/database';

/** What prize-wheel holds about a person; the token of a wheel's public page is left out. */
export const accountExport: readonly ExportSource[] = [
  exportQuery({
    name: 'roletas/roletas.json',
    about: 'As suas roletas de prêmios, com a configuração.',
    query: `select automation_id as roleta, name as nome, is_draft as rascunho, is_active as ligada, configuration - 'publicToken' as configuracao
      from wheels where user_id = $1 order by name, automation_id`,
  }),
  exportQuery({
    name: 'roletas/participacoes.json',
    about: 'Quem girou as suas roletas e o que ganhou. São dados de outras pessoas: use-os só para entregar os prêmios.',
    query: `select p.automation_id as roleta, p.instagram_handle as perfil, p.prize_won as premio, p.created_at as em
      from prize_wheel_participations p join wheels w on w.automation_id = p.automation_id where w.user_id = $1 order by p.created_at, p.id`,
  }),
];
