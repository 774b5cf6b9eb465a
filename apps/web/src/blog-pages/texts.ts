/** Sentences of the public blog. Those of the specification: the labels of the breadcrumb, the empty state, the failures and the copied link. */

export const frameTexts = {
  home: 'Início',
  blog: 'Blog',
  /** Proposals for the owner. */
  skipToContent: 'Ir para o conteúdo',
  navigation: 'Principal',
  plans: 'Planos',
  signIn: 'Entrar',
  signUp: 'Criar conta',
  footer: 'Rodapé',
  privacy: 'Política de Privacidade',
  terms: 'Termos de Uso',
  rss: 'RSS',
};

export const cardTexts = {
  /** Proposal for the owner. */
  readTime: (minutes: number) => `${minutes} min de leitura`,
};

export const listTexts = {
  title: 'Blog',
  empty: 'Nenhum artigo encontrado',
  failed: 'Erro ao carregar artigos',
  retry: 'Tentar novamente',
  /** Proposals for the owner. */
  masthead: 'Marketing digital para quem toca o próprio negócio, sem pressa e com conta feita.',
  searchLabel: 'Buscar artigos',
  search: 'Buscar',
  categories: 'Categorias',
  allCategories: 'Todos',
  found: (count: number, what: string) => `${count === 1 ? '1 artigo' : `${count} artigos`} para “${what}”`,
  nothingAbout: (what: string) => `Nada sobre “${what}”. Tente outra palavra ou veja tudo.`,
  nothingYet: 'Os primeiros artigos chegam em breve.',
  nothingHere: 'Esta página da lista está vazia.',
  all: 'Ver todos os artigos',
  pages: 'Páginas',
  previous: 'Anterior',
  next: 'Próxima',
  pageOf: (page: number) => `Página ${page}`,
  tooMany: 'Muitas tentativas. Aguarde um instante e tente novamente.',
};

/** Proposals for the owner, but for the title, which stood there before. */
export const sitemapTexts = {
  title: 'Mapa do site',
  text: 'Todos os endereços públicos do site, para buscadores.',
  download: 'Baixar sitemap.xml',
  file: 'Conteúdo do sitemap.xml',
  shown: (shown: number, all: number) => `O arquivo tem ${all} artigos; aqui aparecem os ${shown} mais recentes.`,
};

export const articleTexts = {
  crumb: 'Artigo',
  failed: 'Erro ao carregar artigo',
  /** Proposals for the owner. */
  breadcrumb: 'Você está em',
  back: 'Voltar ao blog',
  views: (count: number, written: string) => (count === 1 ? '1 leitura' : `${written} leituras`),
  share: 'Compartilhar',
  copyLink: 'Copiar link',
  contents: 'Neste artigo',
  table: 'Tabela',
  code: 'Código',
  tags: 'Assuntos',
  shareTitle: 'Gostou? Mande para alguém.',
  callTitle: 'Conte cada passo, sem contar na mão',
  callText: 'Automações no seu ritmo, pela sua própria sessão, com tudo anotado.',
  callPlans: 'Ver planos',
  callBlog: 'Mais artigos',
  related: 'Continue lendo',
  missing: 'Este artigo não está aqui',
};
