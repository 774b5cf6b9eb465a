import { exportQuery, type ExportSource } from '@decola/database';

/** What automations holds about a person. Sessions of the network are named, never given out: whoever has one has the account. */
export const accountExport: readonly ExportSource[] = [
  exportQuery({
    name: 'automacoes/automacoes.json',
    about: 'As suas automações, com configuração, situação e agenda.',
    query: `select t.id, t.name as nome, t.type as tipo, t.configuration - 'publicToken' as configuracao, t.is_draft as rascunho, t.is_active as ligada,
      t.created_at as criada_em, t.updated_at as atualizada_em, t.last_run_at as ultima_execucao_em, t.next_run_at as proxima_execucao_em,
      t.run_count as execucoes, t.pause_reason as motivo_da_pausa, t.pause_until as pausa_ate, t.hold_reason as motivo_da_espera,
      t.completed_at as concluida_em, t.completed_reason as motivo_da_conclusao, t.last_run as ultima_execucao,
      p.collected as pessoas_coletadas, p.profile_total as total_do_perfil
      from automations t left join extraction_progress p on p.automation_id = t.id where t.user_id = $1 order by t.created_at, t.id`,
  }),
  exportQuery({
    name: 'automacoes/automacoes-de-blog.json',
    about: 'As suas automações de blog, com tema, palavra-chave, endereço de entrega e agenda.',
    query: `select id, theme as tema, keyword as palavra_chave, webhook_url as endereco_de_entrega, categories as categorias,
      schedule_type as repeticao, schedule_time as horario, schedule_day as dia, schedule_days as dias, is_active as ligada, origin as origem,
      next_generation_at as proximo_artigo_em, last_generated_at as ultimo_artigo_em, pause_reason as motivo_da_pausa, published_at as publicada_em,
      created_at as criada_em, updated_at as atualizada_em from blog_automations where user_id = $1 order by created_at, id`,
  }),
  exportQuery({
    name: 'automacoes/contas-do-instagram.json',
    about: 'As contas do Instagram que você conectou (sem a sessão, que fica cifrada e não sai daqui).',
    query: `select s.username as perfil, s.network_user_id as numero_da_conta, s.is_active as em_uso, s.created_at as conectada_em,
      s.ended_at as encerrada_em, s.ended_cause as motivo, a.first_seen_at as conta_vista_desde, a.paused_cause as pausa,
      a.paused_until as pausa_ate, a.last_block_at as ultimo_bloqueio_em
      from instagram_sessions s left join network_accounts a using (account_key) where s.user_id = $1 order by s.created_at, s.id`,
  }),
  exportQuery({
    name: 'automacoes/execucoes.json',
    about: 'Cada vez que uma automação rodou: quando, o que foi planejado e como terminou.',
    query: `select id, automation_id as automacao, automation_type as tipo, kind as trabalho, plan as plano, state as situacao, outcome as resultado,
      reason as motivo, queued_at as pedida_em, started_at as comecou_em, finished_at as terminou_em, tried as tentadas, confirmed as confirmadas,
      skipped as puladas, pages as paginas from runs where user_id = $1 order by queued_at, id`,
  }),
  exportQuery({
    name: 'automacoes/diario.json',
    about: 'O diário das execuções: cada pessoa encontrada e o que foi feito (últimos 180 dias). São dados de outras pessoas.',
    query: `select at as em, automation_id as automacao, run_id as execucao, action as acao, target_username as perfil, target_id as numero_do_perfil,
      outcome as resultado, skip_reason as motivo, proof as prova from run_diary where user_id = $1 order by at, id`,
  }),
  exportQuery({
    name: 'automacoes/acoes-registradas.json',
    about: 'O registro que impede que a mesma pessoa receba a mesma ação duas vezes das suas contas.',
    query: `select action as acao, target_username as perfil, target_id as numero_do_perfil, state as situacao, skip_reason as motivo,
      automation_id as automacao, reserved_at as reservada_em, settled_at as concluida_em
      from account_actions where user_id = $1 order by reserved_at, id`,
  }),
  exportQuery({
    name: 'automacoes/nunca-deixar-de-seguir.json',
    about: 'Os perfis que as suas contas nunca deixam de seguir.',
    query: `select s.username as conta, k.target_id as numero_do_perfil from keep_list k
      join (select distinct account_key, username from instagram_sessions where user_id = $1) s using (account_key) order by 1, 2`,
  }),
  exportQuery({
    name: 'automacoes/plano.json',
    about: 'Quantas vagas o seu plano dá às automações.',
    query: `select max_slots as vagas from entitlements where user_id = $1 and erased_at is null`,
  }),
];
