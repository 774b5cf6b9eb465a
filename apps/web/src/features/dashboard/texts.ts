/** Sentences of the dashboard. */

const upgradePlan = 'Upgrade Plano';
const tryLater = 'Tente novamente em alguns instantes.';

export const dashboardTexts = {
  pageTitle: 'Dashboard',
  title: 'Ferramentas',
  checking: 'Verificando sua assinatura',
  checkFailed: 'Não foi possível verificar sua assinatura.',
  firstPlan: { title: 'Assine para começar', lead: 'Escolha um plano. Você pode trocar ou cancelar quando quiser.' },
};

export const toolGridTexts = {
  /** Proposal for the owner: name of the list. */
  tools: 'Ferramentas',
  use: 'Use agora',
  /** Accessible name of a tool's button. It begins with the visible text `word`. */
  useOf: (word: string, tool: string, cost: string) => `${word}: ${tool} (${cost})`,
  noSlots: 'Sem slots',
  /** Proposal for the owner: a tool that does not run yet. */
  soon: 'Em breve',
  soonHint: 'Por enquanto, salve só um rascunho: não ocupa slot.',
  slots: (count: number) => (count === 1 ? '1 slot' : `${count} slots`),
};

/** Proposals for the owner: the way to the articles for a customer's site, which have no card among the seven. */
export const articlesLinkTexts = {
  question: 'Tem um site?',
  name: 'Artigos Automáticos para Blog',
  uses: (slots: string) => `usa ${slots}`,
};

export const automationListTexts = {
  title: 'Suas automações',
  moreSlots: 'Adicionar mais slots',
  upgradePlan,
  loading: 'Carregando automações',
  loadFailed: 'Não foi possível carregar suas automações.',
  empty: 'Nenhuma automação configurada',
  active: (count: number) => `${count} ${count === 1 ? 'ativa' : 'ativas'}`,
  stopped: (count: number) => `${count} ${count === 1 ? 'parada' : 'paradas'}`,
  nextRun: (moment: string) => `próxima execução ${moment}`,
};

/** Proposals for the owner: search, states and pages of a long list. */
export const listBarTexts = {
  search: 'Buscar automação',
  states: 'Mostrar',
  filters: { all: 'Todas', active: 'Ativas', stopped: 'Paradas', draft: 'Rascunhos', done: 'Concluídas' },
  found: (count: string) => (count === '1' ? '1 automação na lista' : `${count} automações na lista`),
  nothing: {
    title: 'Nenhuma automação encontrada',
    text: 'Procuramos no nome, no alvo, na ferramenta e na conta.',
    clear: 'Mostrar todas',
  },
  pages: 'Páginas da lista',
  range: (first: string, last: string, all: string) => `${first} a ${last} de ${all}`,
  previous: 'Anteriores',
  next: 'Próximas',
};

/** Names in the address of a searched list. */
export const listParameters = {
  search: 'busca',
  state: 'estado',
  page: 'pagina',
  states: { active: 'ativas', stopped: 'paradas', draft: 'rascunhos', done: 'concluidas' },
};

export const automationItemTexts = {
  /** Reason of a pause that the customer chose. */
  switchedOff: 'Você desligou esta automação. Ligue quando quiser que ela continue.',
  blogNamePrefix: 'Artigos: ',
  rename: 'Renomear',
  renamed: 'Nome atualizado',
  renameFailed: 'Erro ao renomear automação',
  switchLabel: (name: string) => `Ligar ou desligar ${name}`,
  switchedOn: 'Automação ativada',
  switchedOffToast: 'Automação desativada',
  switchFailed: 'Erro ao atualizar automação',
  edit: 'Editar',
  editOf: (name: string) => `Editar ${name}`,
  remove: 'Excluir',
  removeOf: (name: string) => `Excluir ${name}`,
  /** Proposals for the owner. */
  diary: 'Diário',
  diaryOf: (name: string) => `Diário de ${name}`,
  articles: 'Artigos',
  articlesOf: (name: string) => `Artigos de ${name}`,
  wheelPage: 'Prêmios e leads',
  wheelPageOf: (name: string) => `Prêmios e leads de ${name}`,
  leads: (count: string) => (count === '1' ? '1 lead' : `${count} leads`),
  noLeads: 'Ninguém girou ainda',
  extractAgainOf: (name: string) => `Extrair de novo: ${name}`,
  extractAgain: 'Extrair de novo',
  extractingAgain: { title: 'Nova extração na fila', text: 'O último arquivo continua disponível.' },
  extractAgainFailed: 'Erro ao extrair de novo',
  waitsFor: (account: string) => `Espera a conta ${account}.`,
  whatToDo: 'Ver o que fazer',
  facts: {
    lastRun: 'Última execução',
    neverRun: 'ainda nenhuma',
    nextRun: 'Próxima',
    /** Proposals for the owner. */
    nothingNew: 'Nada novo para fazer desta vez.',
    finished: 'Terminou',
    saved: 'Criado',
  },
};

export const renameTexts = {
  label: 'Nome da automação',
  empty: { title: 'Nome inválido', text: 'O nome da automação não pode estar vazio.' },
};

export const deleteDialogTexts = {
  title: 'Excluir automação',
  description: (name: string) => `"${name}" e os dados coletados por ela serão apagados. Esta ação é irreversível.`,
  /** Proposals for the owner: what is deleted together with an automation. */
  goes: 'Será apagado',
  list: (count: string, date: string, dataType: string) => {
    const [one, many] = dataType === 'comments' ? ['comentário', 'comentários'] : ['pessoa', 'pessoas'];
    return `Lista com ${count} ${count === '1' ? one : many}, de ${date}`;
  },
  nothingElse: 'Nenhum dado coletado.',
  /** @param count prizes that were won and not handed over yet */
  undelivered: (count: string) =>
    count === '1'
      ? '1 prêmio ainda não foi entregue. Depois de excluir, o código dele deixa de valer.'
      : `${count} prêmios ainda não foram entregues. Depois de excluir, os códigos deles deixam de valer.`,
  undeliveredUnknown: 'Não conseguimos ver se há prêmios por entregar. Depois de excluir, os códigos dos ganhadores deixam de valer.',
  dependents: 'Estas automações usam os dados dela e vão parar:',
  dependentsLabel: 'Automações dependentes',
  removeAnyway: 'Excluir mesmo assim',
  remove: 'Excluir',
  cancel: 'Cancelar',
  removed: 'Automação excluída',
  failed: 'Erro ao excluir automação',
};

/** Public page of a prize wheel. Proposals for the owner: all but the toasts. */
export const publicPageTexts = {
  copyLink: 'Copiar link',
  copyLinkOf: (name: string) => `Copiar link: ${name}`,
  linkCopied: 'Link copiado para a área de transferência!',
  open: 'Abrir roleta',
  openOf: (name: string) => `Abrir roleta: ${name} (nova aba)`,
  copy: 'Copiar código embed',
  copyOf: (name: string) => `Copiar código embed: ${name}`,
  copied: 'Código embed copiado!',
  copyFailed: { title: 'Erro ao copiar', text: 'O navegador não deixou copiar. Tente novamente ou use outro navegador.' },
};

const rowCount = (count: string) => (count === '1' ? '1 linha' : `${count} linhas`);

export const downloadTexts = {
  button: 'Baixar CSV',
  /** Proposals for the owner: both files of a list, with their number of rows. */
  buttonOf: (name: string) => `Baixar CSV: ${name}`,
  csv: (count: string) => `Baixar CSV · ${rowCount(count)}`,
  xlsx: 'XLSX',
  csvOf: (count: string, name: string) => `Baixar CSV · ${rowCount(count)}: ${name}`,
  xlsxOf: (name: string) => `XLSX: ${name}`,
  nothing: { title: 'Nenhum dado encontrado', text: 'Esta automação ainda não coletou nada.' },
  notReady: { title: 'Dados não disponíveis', text: 'A extração ainda está em andamento.' },
  started: { title: 'Download iniciado', text: (count: string) => `${count} registros` },
  failed: { title: 'Erro no download', text: tryLater },
};

/** Shown when a customer returns from the payment page. */
export const paymentReturnTexts = {
  canceled: { title: 'Pagamento cancelado', text: 'Você pode tentar novamente quando quiser.' },
  /** Proposal for the owner: no check of the subscription has confirmed a payment. */
  unconfirmed: { title: 'Pagamento ainda não confirmado', text: 'Se você pagou, seu plano aparece aqui assim que a confirmação chegar.' },
};

/** After a payment. */
export const successTexts = {
  title: 'Tudo pronto para decolar',
  steps: [
    'Criando sua conta...',
    'Preparando tudo para você...',
    'Liberando suas ferramentas...',
    'Reservando seus slots...',
    'Ajustando os últimos detalhes...',
    'Quase lá...',
  ],
  progress: 'Progresso',
  paid: { title: 'Pagamento realizado com sucesso!', text: 'Sua assinatura foi ativada. Bem-vindo!' },
};

/** Proposals for the owner: what an automation does, in a few words. */
export const whatTexts = {
  follow: 'Seguir',
  unfollow: 'Desseguir',
  like: 'Curtir',
  comment: 'Comentar',
  stories: 'Ver stories',
  extract: 'Extrair',
  direct: 'Direct',
  directAndReply: 'Direct e resposta',
  wheel: 'Roleta de Prêmios',
  articles: 'Artigos para blog',
  followedHere: 'quem esta conta seguiu por aqui',
  feed: 'seu feed',
  followersOf: (users: string) => `seguidores de ${users}`,
  followedBy: (user: string) => `quem ${user} segue`,
  /** @param name name of the automation that collected the list; null when that automation was deleted */
  list: (name: string | null) => (name === null ? 'uma lista' : `lista “${name}”`),
  more: (count: number) => `mais ${count}`,
  post: (shortcode: string | null) => (shortcode === null ? 'um post' : `post ${shortcode}`),
  likesOn: (post: string) => `curtidas do ${post}`,
  commentsOn: (post: string) => `comentários do ${post}`,
  whoComments: (keyword: string) => `a quem comentar “${keyword}”`,
  comments: (count: number) => (count === 1 ? '1 texto' : `${count} textos`),
  prizes: (count: number) => (count === 1 ? '1 prêmio' : `${count} prêmios`),
  pace: {
    '15min': 'a cada 15 minutos',
    '30min': 'a cada 30 minutos',
    '1hour': 'por hora',
    '2hours': 'a cada 2 horas',
    '4hours': 'a cada 4 horas',
    '6hours': 'a cada 6 horas',
    '12hours': 'a cada 12 horas',
    '24hours': 'por dia',
  },
  noSlot: 'ainda sem slot',
};

/** How many actions of a run were confirmed. Proposals for the owner: all but that of people. */
export const outcomeTexts = {
  people: outcome('confirmada', 'confirmadas'),
  likes: outcome('curtida confirmada', 'curtidas confirmadas'),
  comments: outcome('comentário confirmado', 'comentários confirmados'),
  stories: outcome('story visto', 'stories vistos'),
  directs: outcome('direct confirmado', 'directs confirmados'),
  directsAndReplies: outcome('direct confirmado', 'directs e respostas confirmados'),
};

function outcome(one: string, many: string) {
  return (confirmed: number, tried: number) => `${confirmed} de ${tried} ${tried === 1 ? one : many}`;
}

/** Proposals for the owner: greeting and state of the automations, at the top of the dashboard. */
export const greetingTexts = {
  /** @param hour the hour of the day in Brasília */
  hello: (hour: number) => (hour < 5 || hour >= 18 ? 'Boa noite' : hour < 12 ? 'Bom dia' : 'Boa tarde'),
  withName: (hello: string, name: string) => (name === '' ? hello : `${hello}, ${name}`),
  firstTool: (hello: string) => `${hello}. O que decola primeiro?`,
  firstSteps: 'Escolha uma ferramenta: são dois ou três passos curtos.',
  running: (count: number) =>
    count === 0 ? 'Nenhuma automação no ar.' : `${inWords(count)} ${count === 1 ? 'automação' : 'automações'} no ar.`,
  waiting: (count: number) => `${inWords(count)} ${count === 1 ? 'conta precisa' : 'contas precisam'} de você.`,
  results: 'Resultados',
};

const feminine = ['Zero', 'Uma', 'Duas', 'Três', 'Quatro', 'Cinco', 'Seis', 'Sete', 'Oito', 'Nove', 'Dez'];
const inWords = (count: number) => feminine[count] ?? String(count);

/** Proposals for the owner: pictures on the large cards, with invented people, and the first steps. */
export const sceneTexts = {
  good: 'Boa para começar',
  follow: { start: 'Seguir', people: '3 pessoas', often: 'a cada', hour: '1 hora', among: 'entre quem usa', tag: '#cafe' },
  day: 'Um dia, por exemplo',
  done: '18',
  most: 'de 60',
  following: 'seguindo',
  now: 'agora',
  later: '15:20',
  people: ['@marina.torra', '@joaopassacafe', '@bia.roma', '@cafedogil', '@lu.serrana'],
  hours: ['0h', '6h', '12h', '18h', '24h'],
  comments: ['Que torra linda!', 'Salvei para testar', 'Onde encontro?'],
  direct: { who: '@bia.roma', asks: 'quero!', gets: 'Oi! É este aqui.' },
  list: {
    head: ['usuario', 'nome'],
    rows: [
      ['marina.torra', 'Marina Couto'],
      ['joaopassacafe', 'João Prado'],
      ['bia.roma', 'Bia Roma'],
    ],
  },
  post: { likes: '1.204', liked: 'curtiram', comments: '318', commented: 'comentaram' },
  ready: 'A primeira fica pronta em três passos.',
  steps: [
    ['Cookie do Instagram', 'A sua sessão, nunca a sua senha.'],
    ['Configuração', 'O quê e onde, como #cafe.'],
    ['Frequência', 'Quanto e quando, dentro do limite.'],
  ],
} as const;
