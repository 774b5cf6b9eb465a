import type { RunAction } from '@decola/contracts';

/** Sentences of the page of one automation. All of them are proposals for the owner. */

const plural = (count: number, one: string, many: string) => `${count.toLocaleString('pt-BR')} ${count === 1 ? one : many}`;

export const pageTexts = {
  loading: 'Carregando automação',
  loadFailed: 'Não foi possível carregar esta automação. Ela continua como estava.',
  unknown: {
    title: 'Automação não encontrada',
    text: 'Ela foi excluída ou o endereço está errado. As suas outras automações continuam.',
    back: 'Voltar ao Dashboard',
  },
  edit: 'Editar',
  remove: 'Excluir',
  on: 'Ligada',
  off: 'Desligada',
};

export const draftTexts = {
  title: 'Este rascunho ainda não roda',
  text: 'Termine os passos e publique. Enquanto é rascunho, não ocupa slot e nada acontece na sua conta.',
  idle: 'Esta ferramenta ainda não está em operação. O rascunho fica guardado e não ocupa slot.',
  finish: 'Terminar rascunho',
};

/** An account that is stopped, told on the page of one of its automations. */
export const stopTexts = {
  notLost: (result: string | null) =>
    `Nada se perdeu: o que já foi feito está no diário, e o que faltava continua na fila.${result === null ? '' : ` Na última execução: ${result}.`}`,
  backAlone: 'Você não precisa fazer nada: ela volta sozinha.',
  account: 'Ver a conta',
  paste: 'Colar novo cookie',
  plans: 'Ver planos',
  own: 'Esta automação parou',
  steps: 'O que fazer',
  confirm: (account: string): Steps => [
    ['Abra o Instagram', `No celular ou no navegador, com ${account}`],
    ['Confirme que é você', 'Pode ser um código por SMS ou e-mail'],
    ['Volte aqui e avise', 'Em uma hora conferimos a conta'],
  ],
  appeal: (account: string): Steps => [
    ['Abra o Instagram', `No celular ou no navegador, com ${account}`],
    ['Siga o que ele pede', 'A resposta do Instagram pode levar alguns dias'],
    ['Volte aqui e avise', 'Em uma hora conferimos a conta'],
  ],
  newSession: (account: string): Steps => [
    ['Entre no Instagram', `No navegador do computador, como ${account}`],
    ['Copie o cookie', 'Do mesmo jeito que ao criar a automação'],
    ['Cole aqui', 'Conferimos a conta e as automações voltam sozinhas'],
  ],
};
export type Steps = readonly (readonly [title: string, text: string])[];

export const numbersTexts = {
  label: 'Números',
  next: 'Próxima execução',
  minutes: 'min',
  hours: 'h',
  days: 'd',
  running: 'Executando agora',
  runningText: 'O diário abaixo mostra cada resultado na hora.',
  none: 'Sem próxima execução',
  offText: 'Ligue a automação para ela continuar.',
  waitsText: 'Ela volta quando a parada terminar.',
  upTo: (count: number) => `até ${plural(count, 'ação', 'ações')}`,
  left: (count: number) => (count === 1 ? 'de 1 que resta hoje' : `de ${count.toLocaleString('pt-BR')} que restam hoje`),
  today: 'Hoje, nesta conta',
  of: (most: string) => `de ${most}`,
  todaySpoken: (used: string, most: string) => `Hoje, nesta conta: ${used} de ${most}`,
  lastDays: 'Em 14 dias',
  now: 'hoje',
  failed: 'Não foi possível carregar os números. A automação continua.',
  none14: 'As marcas se acendem com a primeira ação.',
  upToLimit: (limit: string) => `apagadas, até o limite de hoje: ${limit}`,
  /** One mark of a tower. @param each how many actions a mark stands for */
  mark: (unit: Unit, each: number) => (each === 1 ? `cada marca: ${unit.each}` : `cada marca: ${each} ${unit.many}`),
  day: (date: string, count: string, unit: Unit) => `${date}: ${count} ${count === '1' ? unit.one : unit.many}`,
  failures: 'não deram certo',
  collecting: 'Coleta',
  collected: { people: 'pessoas na lista', comments: 'comentários na lista' },
  pages: 'páginas lidas',
  runs: 'execuções',
  lastRun: 'última execução',
  extraction: 'Em números',
  nextArticle: 'Próximo artigo',
  article: 'Artigos',
  lastArticle: 'último artigo',
  noArticle: 'ainda nenhum',
};

interface Unit {
  title: string;
  each: string;
  one: string;
  many: string;
  skipped: string;
}

const people = { each: 'uma pessoa', skipped: 'puladas, com motivo' };
const posts = { each: 'um post', skipped: 'pulados, com motivo' };

/** What an automation counts, by the first action of its runs. */
export const unitTexts: Record<RunAction, Unit> = {
  follow: { ...people, title: 'Pessoas seguidas por dia', one: 'pessoa seguida', many: 'pessoas seguidas' },
  unfollow: { ...people, title: 'Pessoas deixadas por dia', one: 'pessoa deixada', many: 'pessoas deixadas' },
  like: { ...posts, title: 'Posts curtidos por dia', one: 'post curtido', many: 'posts curtidos' },
  comment: { ...posts, title: 'Posts comentados por dia', one: 'post comentado', many: 'posts comentados' },
  reply: { each: 'uma resposta', skipped: 'puladas, com motivo', title: 'Respostas por dia', one: 'resposta', many: 'respostas' },
  'view-story': {
    each: 'um story',
    skipped: 'pulados, com motivo',
    title: 'Stories vistos por dia',
    one: 'story visto',
    many: 'stories vistos',
  },
  message: { ...people, title: 'Directs e respostas por dia', each: 'um direct ou uma resposta', one: 'enviado', many: 'enviados' },
};

export const diaryTexts = {
  title: 'Diário',
  lead: {
    person: 'Cada execução e cada pessoa, com o resultado visto na página.',
    post: 'Cada execução e cada post, com o resultado visto na página.',
    story: 'Cada execução e cada story, com o resultado visto na página.',
    comment: 'Cada execução e cada resposta, com o resultado visto na página.',
    none: 'Cada execução, com as páginas que leu e como terminou.',
  },
  label: 'Diário de execuções',
  loading: 'Carregando o diário',
  loadFailed: 'Não foi possível carregar o diário. Nada se perdeu.',
  groups: 'Resultado',
  search: 'Buscar pessoa',
  searchHint: 'Buscar @pessoa',
  csv: 'Baixar CSV',
  csvProgress: (done: string, all: string) => `${done} de ${all}`,
  csvCancel: 'Cancelar',
  csvStarted: { title: 'Download iniciado', text: (count: string) => (count === '1' ? '1 linha' : `${count} linhas`) },
  csvFailed: { title: 'Erro no download', text: 'Tente novamente em alguns instantes.' },
  more: 'Ver mais',
  moreLoading: 'Carregando mais',
  moreFailed: 'Não foi possível carregar mais.',
  retry: 'Tentar novamente',
  shownRuns: (shown: number, all: number | null) =>
    all === null || shown >= all
      ? plural(shown, 'execução', 'execuções')
      : `Mostrando ${shown.toLocaleString('pt-BR')} de ${plural(all, 'execução', 'execuções')}`,
  shownEntries: (shown: number, all: number | null) =>
    all === null || shown >= all
      ? plural(shown, 'linha', 'linhas')
      : `Mostrando ${shown.toLocaleString('pt-BR')} de ${plural(all, 'linha', 'linhas')}`,
  nothingFound: (search: string, group: string | null) =>
    `${search === '' ? 'Nada' : `Ninguém com “@${search}”`}${group === null ? '' : ` em “${group}”`}`,
  nothingFoundText: 'Procure em todos os resultados ou confira se o @ está como aparece no Instagram.',
  clear: 'Limpar filtros',
  first: (moment: string) => `A primeira execução é ${moment}`,
  firstSoon: 'A primeira execução está a caminho',
  firstText: (what: string) => `${what}. Cada resultado aparece aqui na hora, com o motivo.`,
  neverRun: 'Ainda nenhuma execução',
  neverRunText: 'Quando a automação rodar, cada resultado aparece aqui, com o motivo.',
};

export const groupTexts = {
  all: { feminine: 'Todas', masculine: 'Todos' },
  skipped: { feminine: 'Puladas', masculine: 'Pulados' },
  failed: 'Não deram certo',
  done: {
    follow: 'Seguindo',
    unfollow: 'Deixadas',
    like: 'Curtidos',
    comment: 'Comentados',
    reply: 'Respondidos',
    'view-story': 'Vistos',
    message: 'Enviados',
  } satisfies Record<RunAction, string>,
  /** In the address. */
  parameters: { done: 'feitas', skipped: 'puladas', failed: 'falhas' },
};

export const runTexts = {
  now: 'Agora',
  running: 'Executando agora',
  queued: 'Na fila',
  confirmed: (confirmed: string, tried: string) => [`${confirmed} de ${tried}`, tried === '1' ? ' confirmada' : ' confirmadas'] as const,
  soFar: (confirmed: number) => [String(confirmed), ' até aqui'] as const,
  stopped: (confirmed: string, tried: string) => [`${confirmed} de ${tried}`, ', parada no meio'] as const,
  nothing: ['Nada a fazer', ''] as const,
  pages: (count: number) => [count.toLocaleString('pt-BR'), count === 1 ? ' página lida' : ' páginas lidas'] as const,
  skipped: (count: number, isFeminine: boolean) => plural(count, isFeminine ? 'pulada' : 'pulado', isFeminine ? 'puladas' : 'pulados'),
  failed: (count: number) => plural(count, 'não deu certo', 'não deram certo'),
  done: (count: number) => plural(count, 'confirmada', 'confirmadas'),
  took: (minutes: number) => (minutes < 1 ? 'Terminou em menos de 1 min' : `Terminou em ${minutes} min`),
  abandoned: 'Interrompida. A próxima continua de onde esta parou.',
  open: (time: string) => `Execução das ${time}`,
  people: 'Carregando resultados',
  peopleFailed: 'Não foi possível carregar os resultados.',
  noPeople: 'Esta execução não chegou a nenhuma ação.',
  noPeopleYet: 'Procurando. O primeiro resultado aparece aqui na hora.',
  peopleMore: (count: number) => `Mostrando as primeiras ${count.toLocaleString('pt-BR')} linhas. As outras estão no CSV.`,
};

export const entryTexts = {
  head: { person: 'Pessoa', post: 'Post', story: 'Story', comment: 'Comentário', result: 'Resultado', reason: 'Motivo', time: 'Hora' },
  done: {
    follow: 'Seguindo',
    unfollow: 'Deixou de seguir',
    like: 'Curtido',
    comment: 'Comentado',
    reply: 'Respondido',
    'view-story': 'Visto',
    message: 'Enviado',
  } satisfies Record<RunAction, string>,
  requested: 'Pedido enviado',
  skipped: { feminine: 'Pulada', masculine: 'Pulado' },
  failed: 'Não deu certo',
  unknown: 'A conferir',
  seen: {
    follow: 'Conferido na página da pessoa',
    unfollow: 'Conferido na página da pessoa',
    like: 'Conferido na página do post',
    comment: 'Conferido abaixo do post',
    reply: 'Conferido abaixo do comentário',
    'view-story': 'Aberto e visto até o fim',
    message: 'Conferido na conversa',
  } satisfies Record<RunAction, string>,
  requestedText: 'Perfil privado: falta a pessoa aceitar',
  refusedText: 'O Instagram recusou',
  notConfirmedText: 'A página não mostrou o resultado; não repetimos sem conferir',
  unknownText: 'A página ainda não mostrou o resultado; conferimos de novo',
  settled: 'conferido depois, nesta execução',
  wrote: 'Texto',
  post: (code: string) => `post ${code}`,
  openPost: (code: string) => `Abrir o post ${code} no Instagram, em nova aba`,
  openProfile: (name: string) => `Abrir ${name} no Instagram, em nova aba`,
};

/** Head of the CSV file, and the names of its actions. */
export const csvTexts = {
  columns: ['data', 'hora', 'acao', 'instagram', 'post', 'resultado', 'motivo', 'texto'],
  actions: {
    follow: 'Seguir',
    unfollow: 'Desseguir',
    like: 'Curtir',
    comment: 'Comentar',
    reply: 'Responder',
    'view-story': 'Ver story',
    message: 'Direct',
  } satisfies Record<RunAction, string>,
  file: (name: string, day: string) => `diario-${name}-${day}.csv`,
};
