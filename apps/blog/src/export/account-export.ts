import { exportQuery, type ExportSource } from '@decola/database';
import { exportTexts } from '../texts/texts.js';

/** What blog stores about a person. Tokens are left out: whoever has one can post to the customer's site. */
export const accountExport: readonly ExportSource[] = [
  exportQuery({
    name: 'blog/palavras-chave.json',
    about: exportTexts.keywords,
    query: `select keyword as palavra_chave, created_at as guardada_em from user_keywords where user_id = $1 order by created_at`,
  }),
  exportQuery({
    name: 'blog/integracoes.json',
    about: exportTexts.integrations,
    query: `select token_type as tipo, created_at as criada_em from user_tokens where user_id = $1 order by created_at`,
  }),
  exportQuery({
    name: 'blog/artigos-pedidos.json',
    about: exportTexts.dueArticles,
    query: `select blog_automation_id as automacao, occurrence_at as previsto_para, keyword as palavra_chave, theme as tema, received_at as pedido_em
      from due_articles where user_id = $1 order by occurrence_at`,
  }),
  exportQuery({
    name: 'blog/artigos-escritos.json',
    about: exportTexts.articleRuns,
    query: `select keyword as palavra_chave, title as titulo, state as estado, reason as motivo, created_at as pedido_em, updated_at as alterado_em
      from article_runs where user_id = $1 order by created_at`,
  }),
  exportQuery({
    name: 'blog/assuntos.json',
    about: exportTexts.topics,
    query: `select title as titulo, focus_keyword as palavra_chave, state as estado, reason as motivo, created_at as criado_em, updated_at as alterado_em
      from topics where user_id = $1 order by created_at, id`,
  }),
  exportQuery({
    name: 'blog/artigos-do-site.json',
    about: exportTexts.customerArticles,
    query: `select site_key as site, title as titulo, slug, content_html as texto, excerpt as resumo, category as categoria, tags as etiquetas, meta,
        claims as afirmacoes_a_confirmar, image->>'src' as imagem, revision as versao, state as estado, decision as decisao, reason as motivo,
        created_at as criado_em, updated_at as alterado_em
      from customer_articles where user_id = $1 order by created_at, id`,
  }),
  exportQuery({
    name: 'blog/versoes-dos-artigos.json',
    about: exportTexts.customerArticleRevisions,
    query: `select a.title as artigo, r.revision as versao, r.content as conteudo, r.cause as causa, r.created_at as trocada_em
      from article_revisions r join customer_articles a on a.id = r.article_id where r.origin = 'customer' and a.user_id = $1
      order by a.created_at, a.id, r.revision`,
  }),
  exportQuery({
    name: 'blog/links-de-aprovacao.json',
    about: exportTexts.approvals,
    query: `select a.title as artigo, l.created_at as enviado_em, l.expires_at as vale_ate
      from approvals l join customer_articles a on a.id = l.article_id where l.user_id = $1 order by l.created_at, l.id`,
  }),
  exportQuery({
    name: 'blog/atualizacoes-sugeridas.json',
    about: exportTexts.refreshProposals,
    query: `select a.title as artigo, p.reason as motivo, p.detail as detalhes, p.state as estado, p.decided_at as decidido_em, p.created_at as sugerido_em
      from refresh_proposals p join customer_articles a on a.id = p.article_id where p.user_id = $1 order by p.created_at, p.id`,
  }),
  exportQuery({
    name: 'blog/textos-novos.json',
    about: exportTexts.articleRefreshes,
    query: `select a.title as artigo, r.reasons as motivos, r.state as estado, r.title as titulo, r.content_html as texto, r.excerpt as resumo, r.meta,
        r.claims as afirmacoes_a_confirmar, r.problem as motivo, r.until as decidir_ate, r.created_at as pedido_em, r.updated_at as alterado_em
      from article_refreshes r join customer_articles a on a.id = r.article_id where r.user_id = $1 order by r.created_at, r.id`,
  }),
  exportQuery({
    name: 'blog/links-dos-artigos.json',
    about: exportTexts.articleLinks,
    query: `select a.title as artigo, l.url as endereco, l.checked_on as conferido_em, l.dead_since as fora_do_ar_desde, l.is_dead as fora_do_ar
      from article_links l join customer_articles a on a.id = l.article_id where l.user_id = $1 order by a.created_at, a.id, l.url`,
  }),
  exportQuery({
    name: 'blog/pedidos-por-dia.json',
    about: exportTexts.dailyRequests,
    query: `select kind as tipo, day as dia, times as vezes from daily_requests where user_id = $1 order by day, kind`,
  }),
  exportQuery({
    name: 'blog/sites.json',
    about: exportTexts.sites,
    query: `select host as site, origin_url as endereco, kind as tipo, plugin_version as versao_do_plugin, capabilities as recursos, inventory as publicacoes,
        checked_at as respondeu_em, problem_reason as problema, created_at as criado_em
      from sites where user_id = $1 order by created_at, id`,
  }),
  exportQuery({
    name: 'blog/envios.json',
    about: exportTexts.deliveries,
    query: `select s.host as site, a.title as artigo, d.revision as versao, d.state as estado, d.reason as motivo, d.attempt as tentativas, d.public_url as endereco,
        d.published_at as publicado_em, d.seen_at as conferido_em, d.created_at as criado_em
      from deliveries d join sites s on s.id = d.site_id left join customer_articles a on a.id = d.article_id
      where d.user_id = $1 order by d.created_at, d.id`,
  }),
  exportQuery({
    name: 'blog/tentativas-de-envio.json',
    about: exportTexts.deliveryAttempts,
    query: `select delivery_id as envio, operation as operacao, status, code as problema, ms as milissegundos, excerpt as resposta, at as em
      from delivery_attempts where user_id = $1 order by at, id`,
  }),
  exportQuery({
    name: 'blog/testes-de-conexao.json',
    about: exportTexts.webhookTests,
    query: `select at as em from webhook_tests where user_id = $1 order by at`,
  }),
  exportQuery({
    name: 'blog/uso-de-ia.json',
    about: exportTexts.aiMonths,
    query: `select to_char(month, 'YYYY-MM') as mes, tokens::int from ai_months where user_id = $1 order by month`,
  }),
];
