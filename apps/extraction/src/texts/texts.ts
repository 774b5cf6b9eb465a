import { type DataType, productTimeZone } from '@decola/contracts';

/** Why a list has fewer people than its profile shows (`state_reason`). */
export const shortListReasons = {
  refused: 'O Instagram não mostra esta lista para a sua conta. Entregamos tudo o que ele mostrou.',
  private: 'O perfil é privado: a lista só aparece para quem ele aceita como seguidor.',
  limited_by_network: 'O Instagram mostra só uma parte desta lista. Entregamos tudo o que ele mostrou.',
  empty_but_profile_shows_more: 'O Instagram não mostrou a lista, embora o perfil tenha pessoas nela.',
  nothing_new: 'O Instagram não mostrou todas as pessoas da lista, mesmo lendo-a de novo. Entregamos tudo o que ele mostrou.',
  /** Proposals for the owner: from here on. */
  likes_hidden: 'O autor do post escondeu as curtidas: o Instagram não mostra quem curtiu.',
  comments_off: 'Este post não tem comentários: o autor desativou os comentários.',
  comments_hidden: 'O post tem comentários, mas o Instagram não os mostra para a sua conta: o autor pode ter escondido.',
} as const;

type ShortReasons = Record<keyof typeof shortListReasons, string>;
const privateAuthor = 'O post é de um perfil privado: só aparece para quem ele aceita como seguidor.';
/** The same for the people who liked a post, and for its comments. */
const shortReasonsOfPosts: Record<'likes' | 'comments', ShortReasons> = {
  likes: {
    ...shortListReasons,
    refused: 'O Instagram não mostra as curtidas deste post para a sua conta. Entregamos tudo o que ele mostrou.',
    private: privateAuthor,
    limited_by_network: 'O Instagram mostra só uma amostra (cerca de 100) das curtidas. Entregamos tudo o que ele mostrou.',
  },
  comments: {
    ...shortListReasons,
    refused: 'O Instagram não mostra os comentários deste post para a sua conta. Entregamos tudo o que ele mostrou.',
    private: privateAuthor,
    limited_by_network: 'O Instagram mostra só uma parte dos comentários. Entregamos tudo o que ele mostrou.',
    nothing_new: 'O Instagram não mostrou todos os comentários, mesmo lendo-os de novo. Entregamos tudo o que ele mostrou.',
  },
};

/** Why a list has fewer rows than the network says it has (`state_reason`). */
export function shortListReason(dataType: DataType, reason: keyof typeof shortListReasons): string {
  return (dataType === 'likes' || dataType === 'comments' ? shortReasonsOfPosts[dataType] : shortListReasons)[reason];
}

/** `state_reason` of a list whose people were erased after the retention time. */
export const expiredReason = 'Os dados desta lista expiraram e foram apagados.';

/** Answer to a download link that has expired or was changed. */
export const invalidLinkText = 'Este link expirou ou não é válido. Volte ao painel e baixe o arquivo de novo.';

/** Name of the only sheet of an XLSX file. */
export const sheetName = 'Lista';

/** First word of a file's name, by the kind of list. */
export const fileWords = {
  followers: 'seguidores',
  following: 'seguindo',
  likes: 'curtidas',
  comments: 'comentarios',
  leads: 'leads',
} as const;

/** Name of the file of a wheel's leads. @param wheel its name, without characters that file systems refuse */
export const leadsFileName = (wheel: string): string =>
  `${fileWords.leads}-${wheel
    .replace(/[\s\\/:*?"<>|\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 200)}.csv`;

/** Words in the file of leads. */
export const leadWords = {
  types: { digital: 'Digital', physical: 'Físico' },
  states: { won: 'A entregar', delivered: 'Entregue', expired: 'Vencido', voided: 'Anulado' },
  yes: 'Sim',
  no: 'Não',
} as const;

const instantFormat = new Intl.DateTimeFormat('pt-BR', {
  timeZone: productTimeZone,
  ...{ day: '2-digit', month: '2-digit', year: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' },
});

const dayFormat = new Intl.DateTimeFormat('pt-BR', { timeZone: productTimeZone, dateStyle: 'short' });
const dayText = (instant: Date): string => dayFormat.format(instant);

/** `22/11/2026 09:00:01`, as a spreadsheet in Portuguese reads it. */
export const instantText = (instant: Date): string => instantFormat.format(instant).replace(',', '');

/** Refusals of `lead-webhook`, and why a delivery failed. Proposals for the owner. */
export const webhookTexts = {
  unknownWheel: 'Esta roleta não existe ou foi excluída',
  urlMissing: 'Digite o endereço do webhook',
  urlNotCallable: 'Use um endereço https público, sem usuário e senha, na porta 443 ou 8443',
  none: 'Esta roleta não tem webhook',
  ended: 'O endereço pediu para não ser mais chamado. Salve o webhook de novo para voltar a enviar',
  unknownDelivery: 'Este envio não pode ser repetido: os dados do lead foram apagados ou ele já está sendo enviado',
  tooMany: (seconds: number) => `Muitas tentativas. Aguarde ${seconds} segundos.`,
  /** By `FailureOfCall`; `secret`: the stored secret cannot be read. */
  failures: {
    address: 'O endereço não é público e por isso não foi chamado',
    dns: 'O endereço não foi encontrado',
    tls: 'O certificado do endereço não é válido',
    timeout: 'O endereço não respondeu em 10 segundos',
    connection: 'O endereço recusou ou interrompeu a conexão',
    secret: 'Não conseguimos assinar o envio. Salve o webhook de novo',
  },
  gone: 'O endereço respondeu 410 e pediu para não ser mais chamado',
  redirect: 'O endereço redireciona para outro. Use o endereço final',
  status: (status: number) => `O endereço respondeu ${status}`,
} as const;

/** The mail to a winner. Proposals for the owner. */
export const winnerMailTexts = {
  subject: (prize: string) => `Seu prêmio: ${prize}`,
  lead: (wheel: string, company: string, validUntil: Date | null) =>
    `Parabéns! Você ganhou na roleta ${wheel}${company === '' ? '' : `, de ${company}`}. Mostre este código para receber o seu prêmio.${validUntil === null ? '' : ` Ele vale até ${dayText(validUntil)}.`}`,
  codeLabel: 'O seu código:',
  button: 'Ver o comprovante',
  footer: (wheel: string) =>
    `Você recebeu esta mensagem porque este e-mail foi informado na roleta ${wheel}. Guarde o código: quem o tem pode receber o prêmio.`,
  data: 'Ver, copiar ou apagar os meus dados',
} as const;

/** What the READ ME of a person's data export says about each file. */
export const exportTexts = {
  lists: 'As listas que você extraiu: de onde, quantas pessoas e em que situação. Cada lista com pessoas tem o seu arquivo CSV ao lado.',
  people: 'As pessoas de uma lista que você extraiu (o nome do arquivo termina com o id da lista). São dados de outras pessoas.',
  webhooks: 'Os endereços que avisamos quando alguém gira as suas roletas.',
} as const;
