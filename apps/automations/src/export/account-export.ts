import { exportQuery, type ExportSource } from '@decola/database';
import { accountExportTexts } from '../texts/texts.js';

/** This service's part of a person's data export. Sessions of the network are listed without their cookies, which would give access to the account. */
export const accountExport: readonly ExportSource[] = [
  exportQuery({
    name: 'automacoes/automacoes.json',
    about: accountExportTexts.automations,
    query: `select t.id, t.name as nome, t.type as tipo, t.configuration - 'publicToken' as configuracao, t.is_draft as rascunho, t.is_active as ligada,
      t.created_at as criada_em, t.updated_at as atualizada_em, t.last_run_at as ultima_execucao_em, t.next_run_at as proxima_execucao_em,
      t.run_count as execucoes, t.pause_reason as motivo_da_pausa, t.pause_until as pausa_ate, t.hold_reason as motivo_da_espera,
      t.completed_at as concluida_em, t.completed_reason as motivo_da_conclusao, t.last_run as ultima_execucao,
      p.collected as pessoas_coletadas, p.profile_total as total_do_perfil
      from automations t left join extraction_progress p on p.automation_id = t.id where t.user_id = $1 order by t.created_at, t.id`,
  }),
  exportQuery({
    name: 'automacoes/automacoes-de-blog.json',
    about: accountExportTexts.blogAutomations,
    query: `select id, theme as tema, keyword as palavra_chave, webhook_url as endereco_de_entrega, categories as categorias,
      schedule_type as repeticao, schedule_time as horario, schedule_day as dia, schedule_days as dias, is_active as ligada, origin as origem,
      next_generation_at as proximo_artigo_em, last_generated_at as ultimo_artigo_em, pause_reason as motivo_da_pausa,
      settings as configuracoes, problem_reason as motivo_da_falta_do_ultimo_artigo, published_at as publicada_em,
      created_at as criada_em, updated_at as atualizada_em from blog_automations where user_id = $1 order by created_at, id`,
  }),
  exportQuery({
    name: 'automacoes/contas-do-instagram.json',
    about: accountExportTexts.sessions,
    query: `select s.username as perfil, s.network_user_id as numero_da_conta, s.is_active as em_uso, s.created_at as conectada_em,
      s.ended_at as encerrada_em, s.ended_cause as motivo, a.paused_cause as pausa,
      a.paused_until as pausa_ate, a.last_block_at as ultimo_bloqueio_em
      from instagram_sessions s left join network_accounts a using (account_key) where s.user_id = $1 order by s.created_at, s.id`,
  }),
  exportQuery({
    name: 'automacoes/execucoes.json',
    about: accountExportTexts.runs,
    query: `select id, automation_id as automacao, automation_type as tipo, kind as trabalho, plan as plano, state as situacao, outcome as resultado,
      reason as motivo, queued_at as pedida_em, started_at as comecou_em, finished_at as terminou_em, tried as tentadas, confirmed as confirmadas,
      skipped as puladas, pages as paginas from runs where user_id = $1 order by queued_at, id`,
  }),
  exportQuery({
    name: 'automacoes/diario.json',
    about: accountExportTexts.diary,
    query: `select at as em, automation_id as automacao, run_id as execucao, kind as trabalho, action as acao, target_username as perfil, target_id as numero_do_alvo,
      post_code as codigo_do_post, text as texto, outcome as resultado, skip_reason as motivo, proof as prova from run_diary where user_id = $1 order by at, id`,
  }),
  exportQuery({
    name: 'automacoes/imagens-de-falhas.json',
    about: accountExportTexts.pictures,
    query: `select id, automation_id as automacao, run_id as execucao, taken_at as feita_em, octet_length(jpeg) as bytes
      from run_pictures where user_id = $1 order by taken_at, id`,
  }),
  exportQuery({
    name: 'automacoes/previas.json',
    about: accountExportTexts.previews,
    query: `select created_at as pedida_em, finished_at as pronta_em, automation_id as automacao, state as situacao, reason as motivo, items as alvos
      from previews where user_id = $1 order by created_at, id`,
  }),
  exportQuery({
    name: 'automacoes/acoes-registradas.json',
    about: accountExportTexts.ledger,
    query: `select action as acao, target_username as perfil, split_part(target_id, '@', 1) as numero_do_alvo, author_id as numero_do_autor,
      post_code as codigo_do_post, text as texto, state as situacao, skip_reason as motivo,
      automation_id as automacao, reserved_at as reservada_em, settled_at as concluida_em, followed_before as ja_seguia_voce,
      follows_back as segue_voce, seen_again_at as visto_de_novo_em
      from account_actions where user_id = $1 order by reserved_at, id`,
  }),
  exportQuery({
    name: 'automacoes/nunca-deixar-de-seguir.json',
    about: accountExportTexts.keepList,
    query: `select c.network_user_id as numero_da_conta, k.username as perfil, k.target_id as numero_do_perfil from keep_list k
      join instagram_accounts c on c.user_id = k.user_id and c.account_key = k.account_key where k.user_id = $1 order by 1, 2`,
  }),
  exportQuery({
    name: 'automacoes/ajustes-das-contas.json',
    about: accountExportTexts.accountSettings,
    query: `select network_user_id as numero_da_conta, created_at as conectada_em, paused_until as pausada_por_voce_ate, quiet_from as descanso_de,
      quiet_to as descanso_ate, stop_cause as espera_por, stopped_at as espera_desde, resolved_at as avisou_que_resolveu_em
      from instagram_accounts where user_id = $1 order by created_at, id`,
  }),
  exportQuery({
    name: 'automacoes/crescimento-das-contas.json',
    about: accountExportTexts.growth,
    query: `select c.network_user_id as numero_da_conta, g.day as dia, g.followers as seguidores, g.following as seguindo, g.posts as publicacoes,
      g.seen_at as visto_em from account_growth g join instagram_accounts c on c.id = g.instagram_account_id
      where g.user_id = $1 order by g.day, g.id`,
  }),
  exportQuery({
    name: 'automacoes/atividade-das-contas.json',
    about: accountExportTexts.activity,
    query: `select c.network_user_id as numero_da_conta, d.day as dia, d.action as acao, d.confirmed as confirmadas, d.skipped as puladas,
      d.refused as recusadas, d.unconfirmed as sem_confirmacao from account_activity d join instagram_accounts c on c.id = d.instagram_account_id
      where d.user_id = $1 order by d.day, 1, d.action`,
  }),
  exportQuery({
    name: 'automacoes/pausas-das-contas.json',
    about: accountExportTexts.pauses,
    query: `select c.network_user_id as numero_da_conta, p.cause as motivo, p.part as parte, p.began_at as comecou_em, p.until as prevista_ate,
      p.resolved_at as resolvida_em from account_pauses p join instagram_accounts c on c.id = p.instagram_account_id
      where p.user_id = $1 order by p.began_at, p.id`,
  }),
  exportQuery({
    name: 'automacoes/uso-das-contas.json',
    about: accountExportTexts.usage,
    query: `select c.network_user_id as numero_da_conta, u.action as acao, u.hour_used as na_ultima_hora, u.day_used as nas_ultimas_24_horas
      from account_usage u join instagram_accounts c on c.id = u.instagram_account_id where u.user_id = $1 order by 1, 2`,
  }),
  exportQuery({
    name: 'automacoes/fuso-e-idioma.json',
    about: accountExportTexts.browserSettings,
    query: `select time_zone as fuso_horario, locale as idioma, updated_at as informado_em from customers where user_id = $1`,
  }),
  exportQuery({
    name: 'automacoes/plano.json',
    about: accountExportTexts.entitlement,
    query: `select max_slots as vagas from entitlements where user_id = $1 and erased_at is null`,
  }),
];
