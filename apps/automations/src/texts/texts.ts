import { type PreviewedList, productTimeZone, type SkipReason, type UsageKind } from '@decola/contracts';
import type { OwnerCause, PauseCause } from '../safety/stops.js';

/*
 * Every sentence of this service that a customer reads, grouped by where it is shown. Sentences that pages and this service share, such as
 * those of the wizard, are in `libs/contracts`. Arguments named `since`, `until`, `from` and `at` are written instants, as `instantText` makes them.
 */

const formats = new Map<string, Intl.DateTimeFormat>();

/** `21/11 às 09:00`, by the wall clock of a time zone. */
export function instantText(at: Date, timeZone: string = productTimeZone): string {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('pt-BR', { timeZone, day: '2-digit', month: '2-digit', hour: '2-digit', minute: '2-digit' });
    formats.set(timeZone, format);
  }
  return format.format(at).replace(', ', ' às ');
}

/** The same instant formatted by PostgreSQL's `to_char`, for sentences that a query completes. */
export const instantFormatOfSql = 'DD/MM "às" HH24:MI';

/**
 * Why an automation or an account is paused: the cause, since when, what we do and what the customer does.
 * @param until end of the pause; null when it has none
 * @param timeZone the customer's, IANA name
 * @param isForEverybody only of `site_changed`: runs of that kind are paused for all customers, and an alert has told our team
 */
export function pauseReason(
  cause: PauseCause,
  since: Date,
  until: Date | null,
  { timeZone = productTimeZone, isForEverybody = false }: { timeZone?: string | undefined; isForEverybody?: boolean } = {},
): string {
  return pauseSentence(cause, instantText(since, timeZone), until && instantText(until, timeZone), isForEverybody);
}

/** `pauseReason` with written instants. Queries complete it with instants that they read. */
export function pauseSentence(cause: PauseCause, since: string, until: string | null, isForEverybody = false): string {
  /** A whole sentence with a leading space, or nothing; `tail` is inserted before its full stop. */
  const back = (tail = '') => (until ? ` Voltamos sozinhos em ${until}${tail}.` : '');
  const meanwhile = until ? 'Até lá, evite' : 'Evite';
  switch (cause) {
    case 'action_blocked':
      return `O Instagram bloqueou ações desta conta (desde ${since}). Paramos tudo na conta.${back(', com metade do ritmo')} ${meanwhile} curtir, seguir e comentar também pelo aplicativo.`;
    case 'action_blocked_long':
      return `O Instagram bloqueou esta conta por mais tempo (desde ${since}). Paramos tudo na conta. Confira no aplicativo se o bloqueio acabou e ligue a automação de novo${until ? ` a partir de ${until}` : ''}.`;
    // Proposal for the owner.
    case 'unrecognised':
      return `O Instagram fez uma objeção que ainda não sabemos explicar (desde ${since}). Por segurança, paramos tudo na conta. Confira no aplicativo se ele pede alguma coisa e ligue a automação de novo${until ? ` a partir de ${until}` : ''}.`;
    case 'challenge':
      return `O Instagram pediu uma confirmação de segurança (desde ${since}). Paramos tudo na conta. Entre no Instagram pelo navegador e conclua a confirmação; às vezes basta marcar uma caixa. Depois cole um novo cookie aqui ou use “Já resolvi no Instagram”.`;
    case 'suspended':
      return `O Instagram suspendeu esta conta (desde ${since}). Paramos tudo na conta. Recorra pelo aplicativo do Instagram; quando a conta voltar, cole um novo cookie aqui ou use “Já resolvi no Instagram”.`;
    case 'session_ended':
      return `A sessão do Instagram terminou (desde ${since}). Paramos as automações que usam esta sessão. Entre na conta pelo navegador e cole um novo cookie aqui.`;
    case 'wrong_account':
      return `O cookie abriu outra conta do Instagram (desde ${since}). Paramos as automações que usam esta sessão. Cole o cookie da conta certa aqui.`;
    case 'limited':
      return `O Instagram pediu para esperar (desde ${since}). Paramos tudo na conta.${back()} Se acontecer de novo, entre na conta pelo navegador e cole um novo cookie aqui.`;
    case 'rate_limited':
      return `O Instagram recebeu acessos demais desta conta (desde ${since}). Paramos tudo na conta.${back()} Você não precisa fazer nada.`;
    case 'site_trouble':
      return `O Instagram está com problemas (desde ${since}). Paramos tudo na conta.${back()} Você não precisa fazer nada.`;
    case 'no_connection':
      return `Ficamos sem conexão com o Instagram (desde ${since}).${until ? ` Tentamos de novo às ${until.split(' às ')[1]}.` : ' Tentamos de novo em alguns minutos.'} Não é um problema da sua conta, e você não precisa fazer nada.`;
    case 'silent_block':
      return `O Instagram deixou de aceitar esta ação sem avisar (desde ${since}). Paramos esta ação na conta.${back()} ${meanwhile} fazer o mesmo pelo aplicativo.`;
    case 'refused':
      return `O Instagram recusou esta ação duas vezes seguidas (desde ${since}). Paramos esta ação na conta.${back()} ${meanwhile} fazer o mesmo pelo aplicativo.`;
    case 'list_withheld':
      return `O Instagram deixou de mostrar listas de pessoas para esta conta (desde ${since}). Paramos o que lê listas; o resto da conta continua.${back()} O que já foi lido está guardado, e seguimos de onde parou.`;
    case 'unknown_language':
      return `Idioma não reconhecido: mude o Instagram para português ou inglês (desde ${since}). Paramos esta automação antes de fazer qualquer coisa. Mude o idioma nas configurações da conta e ligue a automação de novo.`;
    case 'site_changed':
      return isForEverybody
        ? `O Instagram mudou uma página que usamos (desde ${since}). Nossa equipe já foi avisada. Paramos este tipo de automação e tentamos de novo a cada 15 minutos. Você não precisa fazer nada.`
        : `O Instagram mostrou a esta conta uma página que não conhecemos (desde ${since}). Paramos este tipo de automação na conta, por segurança.${back()} Se acontecer de novo, abra o Instagram pelo navegador e veja se ele pede alguma coisa.`;
    case 'lease_lost':
    case 'worker_stopped':
      return `A execução foi interrompida do nosso lado (desde ${since}). Continuamos de onde parou. Você não precisa fazer nada.`;
    case 'plan':
      return `Seu plano tem menos slots do que as automações ligadas (desde ${since}). Desligamos as mais novas e não apagamos nada. Faça um upgrade ou exclua automações para ligar esta de novo.`;
    case 'target_gone':
      return `O perfil de destino não existe mais ou mudou de nome (desde ${since}). Paramos esta automação. Edite a automação e escolha outro perfil.`;
    case 'post_gone':
      return `O post não existe mais ou não aparece para a sua conta (desde ${since}). Paramos esta automação. Edite a automação e escolha outro post.`;
    case 'post_of_another':
      return `O post não é da conta conectada (desde ${since}). Só enviamos direct a quem comenta nos seus próprios posts. Paramos esta automação antes de enviar qualquer coisa. Edite a automação e escolha um post seu.`;
    case 'target_private':
      return `O perfil de destino é privado e a lista não está disponível para a sua conta (desde ${since}). Paramos esta automação. Siga o perfil com a sua conta ou escolha outro.`;
    case 'limit_of_network':
      return `Esta conta já segue quase 7.500 pessoas, o máximo que o Instagram permite (desde ${since}). Paramos esta automação. Deixe de seguir algumas pessoas, pelo aplicativo ou com uma automação de deixar de seguir, e ligue esta de novo.`;
    case 'source_gone':
      return `O slot de dados usado por esta automação foi excluído (desde ${since}). Paramos esta automação. Edite a automação e escolha outro slot.`;
    case 'source_used_up':
      return `O slot de dados usado por esta automação não tem mais ninguém novo para a sua conta (desde ${since}). Paramos esta automação. Edite a automação e escolha outro slot, ou faça uma nova extração.`;
    case 'list_refused':
      return `O Instagram não mostra a lista deste perfil para a sua conta (desde ${since}). A conta está bem, só esta lista ficou de fora. Se for sempre assim, escolha outro perfil.`;
    case 'post_refused':
      return `O Instagram não mostra as curtidas ou os comentários deste post para a sua conta (desde ${since}). A conta está bem, só este post ficou de fora. Se for sempre assim, escolha outro post.`;
    case 'source_empty':
      return `O Instagram não mostrou ninguém neste destino (desde ${since}). A conta está bem, e tentamos de novo no próximo horário. Se for sempre assim, escolha outro destino.`;
  }
}

/** `automations.status_reason` when no pause explains it. */
export const statusTexts = {
  notInOperation: 'Esta ferramenta ainda não está em operação. A automação está salva e começa sozinha quando a ferramenta entrar no ar.',
};

/** Proposals for the owner: all but “seguir”, “deixar de seguir” and pages. */
const ceilingAmounts: Record<UsageKind, (most: number) => string> = {
  follow: (most) => `${most} vezes “seguir”`,
  unfollow: (most) => `${most} vezes “deixar de seguir”`,
  like: (most) => `${most} vezes “curtir”`,
  comment: (most) => `${most} comentários e respostas`,
  'view-story': (most) => `${most} stories vistos`,
  message: (most) => `${most} directs`,
  'list-page': (most) => `${most} páginas de lista`,
  'page-view': (most) => `${most} páginas abertas`,
};

/** Why an automation that is due waits (`automations.hold_reason`, shown as `status_reason`). */
export const holdTexts = {
  sessionNotCheckedYet:
    'Ainda não conseguimos conferir esta sessão do Instagram. A automação continua assim que der; você não precisa fazer nada.',
  sessionCheck: 'Conferindo a sessão do Instagram. Continua logo em seguida.',
  customerPause: (until: string) => `Você pausou esta conta. Continua em ${until}.`,
  quietHours: (until: string) => `Descanso noturno da conta. Continua em ${until}.`,
  accountBusy: 'Outra automação está usando esta conta agora. Continua logo em seguida.',
  ceiling: (kind: UsageKind, most: number, period: 'hour' | 'day') =>
    `Limite de segurança da conta atingido: ${ceilingAmounts[kind](most)} ${period === 'day' ? 'em 24 horas' : 'por hora'}, somando todas as automações. Continua sozinha.`,
  nothingLeft: 'Continua no próximo horário.',
  /** Proposal for the owner. */
  awaitsList: 'Conferindo o que já foi lido da lista. A leitura continua em alguns minutos.',
  nobodyToUnfollow: (days: number) =>
    `Ninguém para deixar de seguir ainda: só desfazemos o que esta ferramenta seguiu há mais de ${days} ${days === 1 ? 'dia' : 'dias'}.`,
};

/** How a run ended (`automation_runs.reason`). Proposal for the owner. */
export const runTexts = {
  nobodyOfListToUnfollow:
    'Ninguém desta lista para deixar de seguir agora. No próximo horário procuramos de novo, desde o começo da lista.',
  storiesOfListSeen: 'Nenhum story novo nesta lista agora. No próximo horário procuramos de novo, desde o começo da lista.',
};

/** Why a target was skipped (`run_diary.reason`). Proposals for the owner. */
export const skipTexts: Record<SkipReason, string> = {
  already_so: 'Já estava feito.',
  target_gone: 'Não existe mais.',
  target_private: 'O perfil é privado.',
  target_blocked_us: 'Uma das duas contas bloqueou a outra.',
  not_ours: 'Não foi seguido por esta ferramenta, ou foi há pouco tempo.',
  keep_list: 'Está na lista de quem você nunca deixa de seguir.',
  already_in_ledger: 'Sua conta já fez isso antes.',
  ceiling: 'O limite de segurança da conta foi atingido.',
  limit_of_network: 'Sua conta chegou ao máximo que o Instagram permite.',
  unsettled: 'A página não mostrou o necessário. Pode ser tentado de novo mais tarde.',
  target_reviewed: 'Esta pessoa aprova os seguidores uma a uma.',
  list_refused: 'O Instagram não mostra esta lista para a sua conta.',
  source_empty: 'O Instagram não mostrou ninguém neste destino.',
  target_theirs: 'Você segue esta pessoa por escolha própria.',
  page_views: 'O limite de páginas abertas da conta foi atingido.',
  author_recent: 'Sua conta comentou um post desta pessoa há menos de 30 dias.',
  own: 'É da sua própria conta.',
  comments_off: 'Este post não aceita comentários da sua conta.',
  no_story: 'Não tem story no ar agora.',
  story_closed: 'O próximo story é só para amigos próximos: não foi aberto.',
  story_unplayable: 'O vídeo do story não abriu.',
  messages_closed: 'Esta pessoa não recebe mensagens da sua conta.',
  post_gone: 'O post não existe mais.',
  post_of_another: 'O post não é da conta conectada.',
};

const figure = (value: number) => value.toLocaleString('pt-BR');
const counted = (value: number, one: string, many: string) => `${figure(value)} ${value === 1 ? one : many}`;

/** Previews (`previews.items` and `previews.reason`). Proposals for the owner. */
export const previewTexts = {
  /** Why a target is one; also said once of several. */
  fromHashtag: {
    person: (hashtag: string) => `Post com #${hashtag}.`,
    post: (hashtag: string) => `Post recente com #${hashtag}.`,
    story: (hashtag: string) => `Post com #${hashtag}.`,
  },
  fromSlot: {
    person: 'No slot escolhido.',
    post: 'No slot escolhido: o post mais recente é visto na hora.',
    story: 'No slot escolhido: o story é visto na hora.',
  },
  fromFeed: { person: 'No seu feed.', post: 'Post do seu feed.', story: 'Story novo no seu feed.' },
  follower: (username: string) => `Na lista de seguidores de @${username}.`,
  commented: (said: string) => `Comentou “${said}” no seu post.`,
  followedLongAgo: (days: number) => `Seguir feito por esta ferramenta há mais de ${days} ${days === 1 ? 'dia' : 'dias'}.`,
  /** What an extraction will contain. */
  people: (list: 'followers' | 'following', username: string, total: number | null) =>
    list === 'followers'
      ? `Seguidores de @${username}${total === null ? '' : `: o perfil mostra ${figure(total)}`}. O Instagram pode mostrar menos pessoas; entregamos todas as que ele mostrar.`
      : `Quem @${username} segue${total === null ? '' : `: o perfil mostra ${figure(total)}`}. O Instagram pode mostrar menos pessoas; entregamos todas as que ele mostrar.`,
  interactions: {
    likes: (total: number | null) =>
      `Quem curtiu este post${total === null ? '' : `: ele mostra ${counted(total, 'curtida', 'curtidas')}`}. O Instagram mostra só uma amostra (cerca de 100) das curtidas; entregamos tudo o que ele mostrar.`,
    comments: (total: number | null) =>
      `Quem comentou este post${total === null ? '' : `: ele mostra ${counted(total, 'comentário', 'comentários')}`}, com as respostas. O Instagram pode mostrar só uma parte; entregamos tudo o que ele mostrar.`,
  },
  listProblems: {
    target_gone: 'O perfil não existe mais ou mudou de nome.',
    target_private: 'O perfil é privado: só aparece para quem ele aceita como seguidor.',
    list_refused: 'O Instagram não mostra este perfil para a sua conta.',
    post_gone: 'O post não existe mais ou não aparece para a sua conta.',
    source_empty: 'Não há ninguém nesta lista agora.',
    likes_hidden: 'O autor do post escondeu as curtidas: o Instagram pode mostrar poucas, ou nenhuma.',
    comments_off: 'Este post não tem comentários: o autor desativou os comentários.',
    unsettled: 'A página não abriu direito agora. Peça a prévia de novo em alguns minutos.',
  } satisfies Record<NonNullable<PreviewedList['problem']>, string>,
  /** Why there is no preview, or why it has no more targets. */
  noSession: 'Conecte uma conta do Instagram a esta automação para ver a prévia.',
  sessionNotProven: 'Ainda não conferimos esta sessão do Instagram. A prévia abre assim que a conferência passar.',
  incomplete: 'Termine a configuração para ver a prévia: falta escolher o destino.',
  sourceMissing: 'O slot de dados não existe mais. Escolha outro slot para ver a prévia.',
  noRuns: 'Esta ferramenta não tem prévia.',
  busy: 'Uma automação está usando esta conta agora. Peça a prévia de novo em alguns minutos.',
  held: (reason: string) => `Sem prévia agora. ${reason}`,
  again: (at: string) => `Você mudou esta automação depois da última prévia. Uma nova pode ser pedida a partir de ${at}.`,
  slotUnreadable: 'Não conseguimos ler o slot agora. Peça a prévia de novo em alguns minutos.',
  interrupted: 'A prévia foi interrompida. Peça de novo.',
  cutShort: 'A prévia parou antes do fim: estes são os alvos que deu tempo de ver.',
  nobody: 'Não encontramos nenhum alvo novo agora. Nos próximos horários procuramos de novo.',
};

/** Why an extraction of a post is over without anybody. Proposals for the owner. */
const likesHidden = 'O autor do post escondeu as curtidas: o Instagram não mostra quem curtiu.';
const commentsOff = 'Este post não tem comentários: o autor desativou os comentários.';
const commentsHidden = 'O post tem comentários, mas o Instagram não os mostra para a sua conta: o autor pode ter escondido.';
const privateAuthor = 'O post é de um perfil privado: só aparece para quem ele aceita como seguidor.';

/** Why an extraction is over with fewer people than the profile shows (`automations.completed_reason`). */
export const completionTexts = {
  refused: 'O Instagram não mostra esta lista para a sua conta. Entregamos tudo o que ele mostrou.',
  private: 'O perfil é privado: a lista só aparece para quem ele aceita como seguidor.',
  limited_by_network: 'O Instagram mostra só uma parte desta lista. Entregamos tudo o que ele mostrou.',
  empty_but_profile_shows_more: 'O Instagram mostrou a lista vazia, embora o perfil tenha pessoas. Tente de novo mais tarde.',
  likes_hidden: likesHidden,
  comments_off: commentsOff,
  comments_hidden: commentsHidden,
};

/** The same for the people who liked a post, and for its comments. Proposals for the owner. */
export const interactionsCompletionTexts: Record<'likes' | 'comments', Record<keyof typeof completionTexts, string>> = {
  likes: {
    ...completionTexts,
    refused: 'O Instagram não mostra as curtidas deste post para a sua conta. Entregamos tudo o que ele mostrou.',
    private: privateAuthor,
    limited_by_network: 'O Instagram mostra só uma amostra (cerca de 100) das curtidas. Entregamos tudo o que ele mostrou.',
  },
  comments: {
    ...completionTexts,
    refused: 'O Instagram não mostra os comentários deste post para a sua conta. Entregamos tudo o que ele mostrou.',
    private: privateAuthor,
    limited_by_network: 'O Instagram mostra só uma parte dos comentários. Entregamos tudo o que ele mostrou.',
  },
};

const pasteAnother = 'Para não esperar, entre de novo no Instagram pelo navegador e cole o novo cookie.';

/** How an account that waits for a session gets going again (`instagram_accounts.pause_reason`, `automations.status_reason`). */
export const sessionProgressTexts = {
  checking: 'Conferindo a sessão do Instagram. As automações desta conta continuam assim que a conferência passar.',
  sameSessionIsChecked: (at: string) => `Você avisou que já resolveu no Instagram. Conferimos a mesma sessão em ${at}. ${pasteAnother}`,
  sameSessionMayBePasted: (from: string) =>
    `Você avisou que já resolveu no Instagram. O mesmo cookie pode ser colado de novo a partir de ${from}. ${pasteAnother}`,
  /** `instagram_sessions.check_reason` */
  notCheckedYet: (at: string) =>
    `Ainda não conseguimos conferir esta sessão do Instagram. Tentamos de novo em ${at}; você não precisa fazer nada.`,
};

/** `instagram_accounts.pause_reason` of the customer's own pause. */
export const accountTexts = {
  pausedByCustomer: (until: string) => `Você pausou esta conta até ${until}. Depois disso as automações continuam sozinhas.`,
};

/** Refusals of settings of an account. */
export const accountRefusals = {
  quietHoursHalfSet: (usualFrom: string, usualTo: string) =>
    `Informe o início e o fim do descanso da conta, ou deixe os dois em branco para usar o horário padrão (${usualFrom} às ${usualTo}).`,
  quietHoursMalformed: 'Horário de descanso inválido. Use horas e minutos, como 23:00.',
  quietHoursTooShort: (from: string, to: string, minutes: number) =>
    `A conta precisa descansar pelo menos 6 horas seguidas por dia: de ${from} às ${to} são ${durationText(minutes)}.`,
  keepListTooLong: (most: number) => `A lista pode ter no máximo ${most.toLocaleString('pt-BR')} perfis.`,
  keepListName: (sent: string) => `“${sent.slice(0, 60)}” não é um nome de perfil do Instagram. Use nomes como @padaria, um por linha.`,
  /** Proposals for the owner: the next two. */
  listToKeepIsEmpty: 'Esta lista não tem ninguém. Escolha uma extração que já tenha pessoas.',
  listToKeepUnreadable: 'Não conseguimos ler esta lista agora. Tente de novo em alguns instantes.',
  pauseInPast: 'Escolha um momento no futuro para a pausa, ou deixe em branco para continuar agora.',
  pauseTooLong: 'A pausa pode durar no máximo um ano.',
  pauseShorterThanNetworks: (until: string) =>
    `Esta conta já descansa até ${until} por causa do Instagram, e esse descanso não pode ser encurtado. Escolha um momento depois disso.`,
  nothingToResolve: 'O Instagram não espera nenhuma confirmação desta conta.',
};

function durationText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

const afterStop: Record<OwnerCause, { asked: string; mend: string }> = {
  challenge: { asked: 'pediu uma confirmação de segurança', mend: 'Conclua a confirmação no Instagram' },
  suspended: { asked: 'suspendeu a conta', mend: 'Recorra pelo aplicativo do Instagram' },
};
const pasteAfterNewLogin = 'saia da conta no navegador, entre de novo e cole o novo cookie';

/** Refusals of pasted sessions. */
export const sessionRefusals = {
  missing: 'Cookie do Instagram é obrigatório',
  tooManyTries: (tries: number, from: string) =>
    `Você já enviou ${tries} sessões do Instagram que não pudemos confirmar nas últimas 24 horas. Confira no navegador se a conta está aberta e cole um novo cookie a partir de ${from}.`,
  ended: (since: string) =>
    `Esta sessão do Instagram já terminou (desde ${since}) e não volta. Entre de novo na conta pelo navegador e cole o novo cookie.`,
  ofAnotherAccount: (since: string) =>
    `Este cookie abriu outra conta do Instagram (desde ${since}). Entre na conta certa pelo navegador e cole o cookie dela.`,
  sameSessionIsChecked: (at: string) =>
    `Você avisou que já resolveu no Instagram: conferimos esta mesma sessão em ${at}, sem precisar colar de novo. Para não esperar, ${pasteAfterNewLogin}.`,
  sameSessionMayBePasted: (from: string) =>
    `Você avisou que já resolveu no Instagram: esta mesma sessão pode ser colada de novo a partir de ${from}. Para não esperar, ${pasteAfterNewLogin}.`,
  sameSessionAfterStop: (cause: OwnerCause, since: string) =>
    `O Instagram ${afterStop[cause].asked} nesta mesma sessão (desde ${since}). ${afterStop[cause].mend} e use “Já resolvi no Instagram”: uma hora depois ela pode ser usada de novo. Ou ${pasteAfterNewLogin}.`,
};

const settingNames: Readonly<Record<string, string>> = {
  length: 'o tamanho',
  tone: 'o tom',
  brief: 'o que o redator precisa saber',
  sources: 'as fontes',
  approval: 'a aprovação',
  publishMode: 'a publicação',
  image: 'a imagem',
  disclosure: 'o aviso sobre IA',
};

/** Refusals of blog automations. */
export const blogRefusals = {
  /** Proposal for the owner. By the name of the setting that is wrong. */
  settings: (setting: string): string =>
    `As configurações dos artigos não são válidas${setting in settingNames ? `: confira ${settingNames[setting]}` : ''}.`,
  /** By what is wrong with the webhook's address. */
  webhook: {
    malformed: 'O endereço do webhook não é válido. Use o endereço completo, como https://seusite.com.br/wp-json/decola/v1/publish.',
    scheme: 'O endereço do webhook precisa começar com https://.',
    credentials: 'O endereço do webhook não pode ter usuário e senha.',
    port: 'O endereço do webhook usa uma porta que não é aceita. Use https:// sem porta, ou a porta 8443.',
    not_public: 'O endereço do webhook não é público. Use o endereço do seu site na internet, como https://seusite.com.br.',
  },
};

/** What each file of a person's data export contains. */
export const accountExportTexts = {
  automations: 'As suas automações, com configuração, situação e agenda.',
  blogAutomations: 'As suas automações de blog, com tema, palavra-chave, endereço de entrega e agenda.',
  sessions: 'As contas do Instagram que você conectou (sem a sessão, que fica cifrada e não sai daqui).',
  runs: 'Cada vez que uma automação rodou: quando, o que foi planejado e como terminou.',
  diary: 'O diário das execuções: cada pessoa encontrada e o que foi feito (últimos 180 dias). São dados de outras pessoas.',
  /** Proposal for the owner. */
  pictures:
    'Quando foram feitas as imagens de falhas que estão guardadas (30 dias). As imagens, com o conteúdo de outras pessoas desfocado, ficam na página da automação.',
  /** Proposal for the owner. */
  previews: 'As prévias que você pediu: os próximos alvos de cada automação (últimos 7 dias). São dados de outras pessoas.',
  ledger: 'O registro que impede que a mesma pessoa receba a mesma ação duas vezes das suas contas.',
  keepList: 'Os perfis que as suas contas nunca deixam de seguir.',
  accountSettings:
    'O que você definiu para cada conta do Instagram: pausa, horário de descanso e o aviso de que resolveu um pedido do Instagram.',
  growth: 'Seguidores, seguindo e publicações das suas contas do Instagram, por dia, como as execuções viram (últimos 400 dias).',
  /** Proposals for the owner: the next two. */
  activity: 'O que as suas contas do Instagram fizeram em cada dia, por tipo de ação (últimos 90 dias).',
  pauses: 'As pausas das suas contas do Instagram: motivo, início e fim (últimos 90 dias).',
  usage: 'Quanto as suas contas do Instagram fizeram na última hora e nas últimas 24 horas, por tipo de ação.',
  browserSettings: 'O fuso horário e o idioma do seu navegador, pelos quais as automações descansam e abrem o Instagram.',
  entitlement: 'Quantas vagas o seu plano dá às automações.',
};
