import { exportQuery, type ExportSource } from '@decola/database';
import type { SecurityEvents } from '../security-events/security-events.service.js';
import { exportTexts as texts } from '../texts/texts.js';

/** Everything that identity stores about a person, except passwords, keys and tokens. */
const files: readonly ExportSource[] = [
  exportQuery({
    name: 'conta/cadastro.json',
    about: texts.account,
    query: `select u.id, u.email, u.new_email as novo_email_pedido, p.full_name as nome, p.time_zone as fuso_horario, p.time_zone_chosen as fuso_horario_escolhido, p.locale as idioma, p.notices as avisos_por_email, u.user_metadata as dados_informados,
      u.created_at as criado_em, u.email_confirmed_at as email_confirmado_em, u.mailbox_proven_at as email_comprovado_em, u.last_sign_in_at as ultimo_acesso_em, u.updated_at as atualizado_em,
      u.banned_until as bloqueado_ate, (u.password_hash is not null) as tem_senha, p.subscription_status as situacao_da_assinatura,
      p.subscription_end as fim_do_periodo, s.name as plano, p.updated_at as perfil_atualizado_em
      from users u left join profiles p on p.user_id = u.id left join subscription_plans s on s.id = p.current_plan_id where u.id = $1`,
  }),
  exportQuery({
    name: 'conta/formas-de-entrar.json',
    about: texts.identities,
    query: `select provider as forma, identity_data as dados, created_at as criada_em, last_sign_in_at as ultimo_uso_em
      from identities where user_id = $1 order by created_at`,
  }),
  exportQuery({
    name: 'conta/funcoes.json',
    about: texts.roles,
    query: `select role as funcao, created_at as desde from user_roles where user_id = $1 order by created_at`,
  }),
  exportQuery({
    name: 'conta/sessoes.json',
    about: texts.sessions,
    query: `select id, created_at as aberta_em, refreshed_at as usada_em, user_agent as navegador, ip, aal as nivel_de_seguranca
      from sessions where user_id = $1 order by created_at`,
  }),
  exportQuery({
    name: 'conta/autenticadores.json',
    about: texts.factors,
    query: `select friendly_name as nome, factor_type as tipo, status as situacao, created_at as criado_em, last_challenged_at as usado_em
      from factors where user_id = $1 order by created_at`,
  }),
  exportQuery({
    name: 'conta/historico-de-seguranca.json',
    about: texts.securityEvents,
    query: `select kind as acontecimento, at as em, ip, user_agent as navegador from security_events where user_id = $1 order by at, id`,
  }),
];

/** Identity's part of a person's data export. Making one is recorded in the security history first. */
export function accountExport(events: SecurityEvents): readonly ExportSource[] {
  const recorded: ExportSource = async function* ({ caller }) {
    await events.record(caller.userId, 'account.exported');
  };
  return [recorded, ...files];
}
