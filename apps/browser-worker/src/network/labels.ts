/**
 * Texts of the network's page (instagram-web.md, 6.1). They change with the account's language, often right after a login, so both languages
 * are always accepted.
 */
interface Words {
  readonly en: readonly string[];
  readonly pt: readonly string[];
  /** Texts of either language that nobody confirmed on the live site; nothing depends on them alone. */
  readonly hint?: readonly string[];
}

const words = {
  follow: { en: ['Follow'], pt: ['Seguir'] },
  followBack: { en: ['Follow Back'], pt: ['Seguir de volta'] },
  following: { en: ['Following'], pt: ['Seguindo'] },
  requested: { en: ['Requested'], pt: ['Solicitado'], hint: ['Solicitação enviada'] },
  unblock: { en: ['Unblock'], pt: [], hint: ['Desbloquear'] },
  unfollow: { en: ['Unfollow'], pt: ['Deixar de seguir'] },
  like: { en: ['Like'], pt: ['Curtir'] },
  unlike: { en: ['Unlike'], pt: ['Descurtir'] },
  comment: { en: ['Comment'], pt: ['Comentar'] },
  /** The beginning of the label: the name of the author may follow. */
  commentBox: { en: ['Add a comment…'], pt: ['Adicione um comentário...'] },
  publish: { en: ['Post'], pt: ['Publicar'] },
  reply: { en: ['Reply'], pt: ['Responder'] },
  moreComments: { en: [], pt: [], hint: ['Load more comments', 'Carregar mais comentários'] },
  /** The button below a comment, without the number of its replies. */
  viewReplies: {
    en: [],
    pt: [],
    hint: [
      'View replies',
      'View reply',
      'View all replies',
      'View more replies',
      'View more reply',
      'Ver respostas',
      'Ver resposta',
      'Ver todas as respostas',
      'Ver mais respostas',
      'Ver mais resposta',
    ],
  },
  /** The button before the stories of a person who was opened by address. */
  viewStory: { en: ['View story'], pt: [], hint: ['Ver story'] },
  /** The button of a profile that opens the conversation. */
  message: { en: ['Message'], pt: ['Enviar mensagem', 'Mensagem'] },
  /** The box in which a message is written. */
  messageBox: { en: ['Message...', 'Message…'], pt: ['Mensagem...'] },
  /** The hidden heading of a message that the account sent. */
  youSent: { en: ['You sent'], pt: [], hint: ['Você enviou'] },
  sending: { en: [], pt: [], hint: ['Sending', 'Enviando'] },
  sendFailed: { en: [], pt: [], hint: ["Couldn't send", 'Couldn’t send', 'Not delivered', 'Não foi possível enviar'] },
  pinTitle: { en: [], pt: [], hint: ['Create a PIN', 'Criar um PIN', 'Enter your PIN', 'Insira seu PIN'] },
  share: { en: ['Share'], pt: ['Compartilhar'] },
  save: { en: ['Save'], pt: ['Salvar'] },
  cancel: { en: ['Cancel'], pt: ['Cancelar'] },
  close: { en: ['Close'], pt: ['Fechar'] },
  back: { en: ['Back'], pt: ['Voltar'] },
  notNow: { en: ['Not Now'], pt: ['Agora não'] },
  logIn: { en: ['Log in'], pt: ['Entrar'] },
  notificationsTitle: { en: ['Turn on Notifications'], pt: ['Ativar notificações'] },
  saveLoginTitle: {
    en: ['Save your login info?', 'Save your login info', 'Save Info'],
    pt: ['Salvar informações de login?', 'Salvar informações', 'Salvar suas informações de login?'],
  },
  cookieTitle: {
    en: ['Allow the use of cookies from Instagram on this browser?', 'Allow the use of cookies by Instagram?'],
    pt: ['Permitir o uso de cookies do Instagram neste navegador?', 'Permitir o uso de cookies pelo Instagram?'],
  },
  /** Tried before `cookieAllow`: the least consent that closes the banner. */
  cookieDecline: {
    en: ['Decline optional cookies', 'Only allow essential cookies'],
    pt: ['Recusar cookies opcionais', 'Permitir apenas cookies essenciais'],
  },
  cookieAllow: {
    en: ['Allow essential and optional cookies', 'Allow all cookies', 'Accept'],
    pt: ['Permitir cookies essenciais e opcionais', 'Permitir todos os cookies', 'Aceitar'],
  },
  useTheApp: { en: ['Use the app'], pt: ['Usar o app'], hint: ['Abrir o app', 'Open app'] },
  homeScreenTitle: {
    en: ['Add Instagram to your Home screen?'],
    pt: ['Adicionar o Instagram à tela de início?', 'Adicionar o Instagram à sua tela de início?', 'Adicionar o Instagram à tela inicial?'],
  },
  missingPage: {
    en: ["Sorry, this page isn't available.", 'Page Not Found', 'Content Unavailable'],
    pt: ['Esta página não está disponível.', 'Esta página não está disponível', 'Página não encontrada'],
    hint: ['Sorry, this page isn’t available.', 'Desculpe, esta página não está disponível.'],
  },
  privateAccount: {
    en: ['This account is private', 'This Account is Private'],
    pt: ['Esta conta é privada'],
  },
  blockShort: { en: ['Try Again Later'], pt: ['Tente novamente mais tarde'] },
  blockLong: {
    en: ['Action Blocked', 'Sorry, this feature isn’t available right now', "Sorry, this feature isn't available right now"],
    pt: ['Ação bloqueada'],
    hint: ['Este recurso não está disponível no momento'],
  },
  softLimit: {
    en: ['Please wait a few minutes before you try again.'],
    pt: ['Aguarde alguns minutos antes de tentar novamente.'],
  },
  automationWarning: {
    en: ['We suspect automated behavior on your account'],
    pt: ['Suspeitamos de comportamento automatizado', 'Suspeitamos de comportamento automatizado na sua conta'],
  },
  proveIdentity: {
    en: [
      "Help us confirm it's you",
      'Help us confirm it’s you',
      'Suspicious Login Attempt',
      "Confirm you're human",
      'Confirm you’re human',
    ],
    pt: ['Tentativa de login suspeita', 'Ajude-nos a confirmar que é você', 'Confirme que você é humano'],
  },
  suspended: {
    en: ['Your account has been disabled', 'We suspended your account'],
    pt: ['Sua conta foi desativada', 'Suspendemos sua conta'],
  },
} as const satisfies Record<string, Words>;

export type Label = keyof typeof words;

/** How sentences about a block begin, in dialogs without a title and in the text of a refusal. */
const blockSentences = {
  long: [
    'this action was blocked',
    "sorry, this feature isn't available right now",
    'sorry, this feature isn’t available right now',
    'esta ação foi bloqueada',
    'este recurso não está disponível no momento',
  ].map(normal),
  short: [
    'we restrict certain activity to protect our community',
    'we limit how often you can do certain things on instagram',
    'restringimos determinadas atividades',
    'limitamos a frequência com que você pode',
  ].map(normal),
};

/** Phrases that identify a sentence of the network wherever they occur in it. */
const phrases = {
  temporaryBlock: ['bloqueou temporariamente'],
  automation: ['automated behavior', 'comportamento automatizado'],
  messagesClosed: [
    'new message requests',
    "can't message this account",
    'can’t message this account',
    'novas solicitações de mensagem',
    'não é possível enviar mensagem para esta conta',
    'after your invite is accepted',
    'depois que seu convite for aceito',
  ],
  toRequests: ['message requests', 'solicitações de mensagem'],
} as const;

/** How the network describes public accounts that approve every follower by hand. */
const reviewSentences = [
  'some accounts prefer to manually review followers',
  'algumas contas preferem analisar manualmente',
  'algumas contas preferem avaliar manualmente',
  'algumas contas preferem revisar manualmente',
  'algumas contas preferem analisar os seguidores',
  'algumas contas preferem avaliar os seguidores',
  'algumas contas preferem revisar os seguidores',
].map(normal);

/** The form in which texts are compared: lower case, trimmed, one space between words, no full stop at the end. */
export function normal(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[.…]+$/u, '')
    .trim()
    .toLocaleLowerCase('pt-BR');
}

const byLabel = new Map<Label, ReadonlySet<string>>(
  Object.entries(words as Record<Label, Words>).map(([label, { en, pt, hint = [] }]) => [
    label as Label,
    new Set([...en, ...pt, ...hint].map(normal)),
  ]),
);

/** True when the whole text is one of the label's texts, in either language. "Seguir de volta" is not "Seguir". */
export function isLabel(label: Label, text: string | null | undefined): boolean {
  return text != null && (byLabel.get(label)?.has(normal(text)) ?? false);
}

/** True when the text begins with one of the label's texts, in either language. */
export function beginsWithLabel(label: Label, text: string | null | undefined): boolean {
  return text != null && textsOf(label).some((beginning) => normal(text).startsWith(beginning));
}

/** The texts of a label, in the form in which texts are compared. */
export function textsOf(label: Label): string[] {
  return [...byLabel.get(label)!];
}

/** The first of `labels` that one of the texts matches; null when none does. */
export function labelOf<L extends Label>(texts: readonly string[], labels: readonly L[]): L | null {
  return labels.find((label) => texts.some((text) => isLabel(label, text))) ?? null;
}

/** The kind of block that a sentence of the network announces; null when it announces none. Only for texts of dialogs and answers, never for user content. */
export function blockOfSentence(text: string): 'long' | 'short' | null {
  const given = normal(text);
  const begins = (sentences: readonly string[]) => sentences.some((sentence) => given.startsWith(sentence));
  if (begins(blockSentences.long)) return 'long';
  return begins(blockSentences.short) || phrases.temporaryBlock.some((phrase) => given.includes(phrase)) ? 'short' : null;
}

/** True when a text says that the network suspects automation. Only for texts of dialogs, never for user content. */
export function isAutomationWarning(text: string): boolean {
  const given = normal(text);
  return phrases.automation.some((phrase) => given.includes(phrase));
}

/** True when a text beside a conversation says that the person takes no (further) message. Only for the network's own texts. */
export function isMessagesClosed(text: string): boolean {
  const given = normal(text);
  return phrases.messagesClosed.some((phrase) => given.includes(phrase));
}

/** True when a text beside a conversation says that the message goes to the person's requests. Only for the network's own texts. */
export function isToRequests(text: string): boolean {
  const given = normal(text);
  return !isMessagesClosed(text) && phrases.toRequests.some((phrase) => given.includes(phrase));
}

/** True when a refusal is about a person who approves followers by hand. Only for the network's own texts, never for user content. */
export function isReviewGate(text: string): boolean {
  const given = normal(text);
  return reviewSentences.some((sentence) => given.includes(sentence));
}

const monthsByLanguage = [
  ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'],
  ['janeiro', 'fevereiro', 'março', 'abril', 'maio', 'junho', 'julho', 'agosto', 'setembro', 'outubro', 'novembro', 'dezembro'],
];

/**
 * When a block ends, from a text that names the day ("This block will expire on 2026-12-01"): the ISO instant at which that day is over in
 * every time zone. Null when the text names no day.
 */
export function blockExpiryOf(text: string): string | null {
  const said = /(?:block will expire on|bloqueio (?:expira|expirará|termina|terminará) em|bloqueio (?:vai até|dura até))\s+(.{6,40})/.exec(
    normal(text),
  );
  const day = said && dayOf(said[1]!);
  if (!day) return null;
  const [year, month, date] = day;
  const begins = new Date(Date.UTC(year, month - 1, date));
  if (begins.getUTCMonth() !== month - 1) return null; // no such day
  return new Date(begins.getTime() + 36 * 3_600_000).toISOString();
}

function dayOf(text: string): [year: number, month: number, date: number] | null {
  const iso = /^(\d{4})-(\d{2})-(\d{2})/.exec(text);
  if (iso) return [Number(iso[1]), Number(iso[2]), Number(iso[3])];
  const slashes = /^(\d{1,2})\/(\d{1,2})\/(\d{4})/.exec(text);
  if (slashes) {
    const [first, second, year] = [Number(slashes[1]), Number(slashes[2]), Number(slashes[3])];
    // Portuguese writes the day first, English the month. Where both are possible, the later date is the safe one.
    const readings = [
      [first, second],
      [second, first],
    ].filter(([month]) => month! >= 1 && month! <= 12) as [number, number][];
    readings.sort(([oneMonth, oneDate], [otherMonth, otherDate]) => otherMonth - oneMonth || otherDate - oneDate);
    return readings[0] ? [year, ...readings[0]] : null;
  }
  const words = /^(?:(\d{1,2}) de (\p{L}+) de (\d{4})|(\p{L}+) (\d{1,2}),? (\d{4}))/u.exec(text);
  if (!words) return null;
  const month = Math.max(...monthsByLanguage.map((months) => months.indexOf(words[2] ?? words[4]!))) + 1;
  return month > 0 ? [Number(words[3] ?? words[6]), month, Number(words[1] ?? words[5])] : null;
}

/** True for the languages whose texts are listed above, with regional forms such as `pt-PT` and `en-GB`. */
export function isKnownLanguage(lang: string): boolean {
  return /^(pt|en)([-_]|$)/i.test(lang.trim());
}
