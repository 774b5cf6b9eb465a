/** Answers of the gateway itself that the web app shows to a person. */
export const refusalTexts = {
  loginRequired: 'Login necessário',
  secondFactorRequired: 'Confirme o código do seu aplicativo autenticador para continuar.',
  rateLimited: 'Muitas tentativas. Aguarde um instante e tente novamente.',
  exportUnavailable: 'Não foi possível reunir todos os seus dados agora. Tente novamente em alguns minutos.',
  tooManyExports: 'Você já baixou seus dados várias vezes hoje. Tente novamente amanhã.',
} as const;

/** Description of pages that have none of their own, in search results and link previews. */
export const defaultPageDescription =
  'Automação de Instagram e artigos para blog que agem pelo seu próprio navegador, com limites que protegem a sua conta.';

/** Title and description of the public pages, by path, in search results and link previews. */
export const pageTexts: Readonly<Record<string, { title: string; description: string }>> = {
  '/': { title: 'Automação de Instagram e artigos para blog', description: defaultPageDescription },
  '/auth': { title: 'Entrar ou criar conta', description: 'Entre na sua conta ou crie uma e teste por 7 dias grátis.' },
  '/blog': {
    title: 'Blog',
    description: 'Artigos sobre Instagram, marketing digital e crescimento de audiência, escritos para quem vende pela internet.',
  },
  '/planos': { title: 'Planos', description: 'Escolha o plano com o número de automações de que você precisa. Cancele quando quiser.' },
  '/politica-de-privacidade': {
    title: 'Política de Privacidade',
    description: 'Quais dados coletamos, como os protegemos e os seus direitos pela Lei Geral de Proteção de Dados.',
  },
  '/termos-de-uso': {
    title: 'Termos de Uso',
    description: 'O que você pode esperar do serviço, o que esperamos de você, e como cancelar.',
  },
};

/** Titles of the pages of the prize wheel for visitors, by the first part of their address. */
export const wheelPageTexts = {
  wheelTitle: (name: string) => `Roleta de prêmios: ${name}`,
  titles: {
    'prize-wheel': 'Roleta de prêmios',
    'teste-roleta': 'Teste da Roleta!',
    comprovante: 'Comprovante',
    'meus-dados': 'Meus dados',
    auditoria: 'Auditoria',
  } as Readonly<Record<string, string>>,
  /** Proposal for the owner. */
  description: 'Gire uma vez e ganhe um prêmio.',
};

/** Describes the picture of link previews to those who do not see it. */
export const previewImageText = 'Decole seu Instagram: o que foi feito hoje e o limite de cada ação.';

/** Titles and descriptions of the pages of the blog. Proposals for the owner. */
export const blogPageTexts = {
  crumbs: { home: 'Início', blog: 'Blog', article: 'Artigo' },
  searchTitle: (what: string) => `Busca por “${what}”`,
  categoryTitle: (category: string) => `Blog: ${category}`,
  pageTitle: (title: string, page: number) => `${title}, página ${page}`,
  missing: 'Artigo não encontrado',
  failed: 'Blog',
  sitemap: 'Mapa do site',
};

/** The page on which a customer decides about an article. Proposal for the owner. */
export const approvalPageTexts = { title: 'Aprovar artigo' };

/** Title of the feed. Proposal for the owner. */
export const rssTexts = { title: (productName: string) => `Blog · ${productName}` };

/** LEIA-ME.txt in the archive with a person's data. */
export const readMeTexts = {
  title: (product: string) => `Seus dados no ${product}`,
  account: (email: string) => `Conta: ${email}`,
  createdAt: (date: string) => `Feito em: ${date} (horário de Brasília)`,
  introduction: (product: string) =>
    `Este arquivo reúne tudo o que o ${product} guarda sobre você, como garante a Lei Geral de Proteção de Dados (Lei nº 13.709/2018, art. 18). Guarde-o em um lugar seguro: quem o tiver conhece a sua conta.`,
  filesHeading: 'O que há em cada arquivo',
  missingHeading: 'O que não está aqui, e por quê',
  missingSecrets:
    'Senhas, sessões do Instagram, tokens e chaves de segurança: são segredos, guardados cifrados ou só como resumo, e não saem daqui nem para você, porque quem os tivesse entraria nas suas contas.',
  missingCards: 'Os números do seu cartão: ficam só com o meio de pagamento (Stripe); nós nunca os vemos.',
  formatsHeading: 'Como ler',
  formats:
    'Arquivos .json abrem em qualquer editor de texto; arquivos .csv abrem em planilhas. Datas e horas estão em UTC (horário de Brasília mais três horas).',
  rightsHeading: 'Seus direitos',
  rights: (privacyEmail: string, officerEmail: string) =>
    `Você pode corrigir seu nome e seu e-mail e excluir sua conta em "Minha conta". Para qualquer outro pedido, escreva para ${privacyEmail} ou para o encarregado de dados: ${officerEmail}.`,
};
