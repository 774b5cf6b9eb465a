/** Description of each file in the READ ME of a person's data export. */
export const exportTexts = {
  keywords: 'As palavras-chave que você guardou para os próximos artigos.',
  integrations: 'As integrações do seu site com o blog: quais existem e desde quando (sem o token, que é secreto).',
  dueArticles: 'Os artigos que as suas automações de blog pediram.',
  articleRuns: 'A escrita de cada artigo: o que foi pedido, quando e como terminou.',
  topics: 'Os assuntos dos seus artigos: planejados, escritos e recusados.',
  customerArticles: 'Os artigos escritos para os seus sites, com a sua decisão sobre cada um.',
  customerArticleRevisions: 'As versões anteriores desses artigos, até 20 de cada um.',
  approvals: 'Os e-mails que pediram a sua aprovação (sem o link, que é secreto).',
  refreshProposals: 'Por que sugerimos atualizar os seus artigos, e o que você decidiu.',
  articleRefreshes: 'Os textos novos dos artigos que você mandou atualizar.',
  articleLinks: 'Os links dos seus artigos para outros sites, e o que encontramos neles.',
  dailyRequests: 'Quantas vezes por dia você pediu novos assuntos, uma atualização, ou tentou um artigo de novo.',
  sites: 'Os seus sites, como responderam ao último teste, e o que publicaram.',
  deliveries: 'O envio de cada artigo ao seu site e o que aconteceu com ele.',
  deliveryAttempts: 'As chamadas aos seus sites nos últimos 90 dias.',
  webhookTests: 'Os testes de conexão que você fez nas últimas 24 horas.',
  aiMonths: 'Quanto os seus artigos usaram de inteligência artificial em cada mês, em tokens.',
} as const;

/** Categories of the articles of our own blog, unless an operator names others. */
export const usualCategories = ['Marketing digital', 'Instagram', 'Automação', 'Vendas', 'Tecnologia'] as const;

/** Refusals of what a customer saves. Proposals for the owner. */
export const refusals = {
  keywordMissing: 'Digite a palavra-chave que você quer salvar.',
  tokenMissing: 'O token não pode ficar vazio.',
} as const;
