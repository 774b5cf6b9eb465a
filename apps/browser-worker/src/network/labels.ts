/**
 * Words of the network's page by thing and language. Texts change with the account's language and often after a login, so
 * every language is always understood; `hint` marks texts that nobody has confirmed on the live site.
 */
interface Words {
  readonly en: readonly string[];
  readonly pt: readonly string[];
  /** Unconfirmed texts of either language: they help, nothing depends on them alone. */
  readonly hint?: readonly string[];
}

const words = {
  follow: { en: ['Follow'], pt: ['Seguir'] },
  followBack: { en: ['Follow Back'], pt: ['Seguir de volta'] },
  following: { en: ['Following'], pt: ['Seguindo'] },
  requested: { en: ['Requested'], pt: ['Solicitado'], hint: ['Solicitação enviada'] },
  unblock: { en: ['Unblock'], pt: [], hint: ['Desbloquear'] },
  unfollow: { en: ['Unfollow'], pt: ['Deixar de seguir'] },
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
  /** Least consent first: a person who only wants the banner gone gives no more than is asked. */
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

/** Beginnings of sentences of a block, in dialogs without a title of their own and in the text of a refusal. */
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

/** Words of the network's own, wherever they stand in one of its sentences. */
const ownPhrases = {
  temporaryBlock: ['bloqueou temporariamente'],
  automation: ['automated behavior', 'comportamento automatizado'],
} as const;

/** As texts are compared: trimmed, one space between words, without a final stop, small letters. */
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

/** True when the whole text is one of the label's words, in any language. "Seguir de volta" is not "Seguir". */
export function isLabel(label: Label, text: string | null | undefined): boolean {
  return text != null && (byLabel.get(label)?.has(normal(text)) ?? false);
}

/** The first of `labels` that one of the texts is; null when none is. */
export function labelOf<L extends Label>(texts: readonly string[], labels: readonly L[]): L | null {
  return labels.find((label) => texts.some((text) => isLabel(label, text))) ?? null;
}

/** The block of which a text speaks as the network does; null when it does not. Only for texts of a dialog, never for user content. */
export function blockOfSentence(text: string): 'long' | 'short' | null {
  const given = normal(text);
  const begins = (sentences: readonly string[]) => sentences.some((sentence) => given.startsWith(sentence));
  if (begins(blockSentences.long)) return 'long';
  return begins(blockSentences.short) || ownPhrases.temporaryBlock.some((phrase) => given.includes(phrase)) ? 'short' : null;
}

/** True when the text says that the network takes the account for a machine. Only for texts of a dialog, never for user content. */
export function isAutomationWarning(text: string): boolean {
  const given = normal(text);
  return ownPhrases.automation.some((phrase) => given.includes(phrase));
}
