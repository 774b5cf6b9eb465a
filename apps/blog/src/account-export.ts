import { exportQuery, type ExportSource } from '@decola/database';

/** What blog holds about a person; the tokens themselves open their site and are not given out. */
export const accountExport: readonly ExportSource[] = [
  exportQuery({
    name: 'blog/palavras-chave.json',
    about: 'As palavras-chave que você guardou para os próximos artigos.',
    query: `select keyword as palavra_chave, created_at as guardada_em from user_keywords where user_id = $1 order by created_at`,
  }),
  exportQuery({
    name: 'blog/integracoes.json',
    about: 'As integrações do seu site com o blog: quais existem e desde quando (sem o token, que é secreto).',
    query: `select token_type as tipo, created_at as criada_em from user_tokens where user_id = $1 order by created_at`,
  }),
  exportQuery({
    name: 'blog/artigos-pedidos.json',
    about: 'Os artigos que as suas automações de blog pediram.',
    query: `select blog_automation_id as automacao, occurrence_at as previsto_para, keyword as palavra_chave, theme as tema, received_at as pedido_em
      from due_articles where user_id = $1 order by occurrence_at`,
  }),
];
