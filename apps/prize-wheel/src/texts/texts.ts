import { productTimeZone } from '@decola/contracts';

const dayFormat = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeZone: productTimeZone });
const timeFormat = new Intl.DateTimeFormat('pt-BR', { timeStyle: 'short', timeZone: productTimeZone });
const dayOf = (at: Date): string => dayFormat.format(at);
const timeOf = (at: Date): string => timeFormat.format(at);

/** Description of each file in the READ ME of a person's data export. */
export const exportTexts = {
  wheels: 'As suas roletas de prêmios, com a configuração.',
  consents: 'Os textos de aceite que as suas roletas mostraram. A versão de cada participação diz qual deles a pessoa leu.',
  visits: 'Quantas pessoas viram as suas roletas e quantas continuaram, por dia.',
  coupons: 'Os cupons que você colou nas suas roletas, e a participação que ganhou cada um.',
  participations: 'Quem girou as suas roletas e o que ganhou. São dados de outras pessoas: use-os só para entregar os prêmios.',
} as const;

/** What a visitor of a wheel reads when it refuses, by the code that programs read. */
export const visitTexts = {
  automation_missing: 'ID da automação não fornecido',
  token_missing: 'Token de acesso não fornecido',
  not_found: 'Esta roleta não existe ou foi excluída',
  wrong_token: 'Token de acesso inválido ou expirado',
  draft: 'Esta roleta ainda não foi publicada',
  inactive: 'Esta roleta está inativa no momento',
  no_prizes: 'Esta roleta não possui prêmios cadastrados',
  round_closed: 'Esta rodada foi encerrada. Obrigado por participar!',
  exhausted: 'Não há mais prêmios disponíveis!',
  // The rest are proposals for the owner of the product.
  consent: 'Aceite o regulamento para continuar',
  email_taken: 'Este e-mail já participou desta roleta',
  phone_taken: 'Este número já participou desta roleta',
  throwaway_email: 'Use um e-mail permanente',
  voided: 'O prêmio deste @ foi cancelado. Fale com quem organiza a promoção.',
  erased: 'Este @ não pode mais participar desta roleta',
  'challenge.required': 'Não foi possível confirmar a sua participação. Atualize a página e tente de novo.',
} as const;

/** Proposals for the owner of the product: what owners of wheels read. */
export const ownerTexts = {
  unknownCode: 'Não encontramos este código entre os prêmios das suas roletas. Confira as letras.',
  unknownWheel: 'Roleta não encontrada',
  neverPublished: 'Publique a roleta primeiro.',
  nothingLeft: 'Não há mais prêmios: aumente a quantidade antes de abrir outra rodada.',
  promotionOver: 'A promoção terminou: mude a data de término antes de abrir outra rodada.',
  reasonMissing: 'Escreva por que o prêmio foi cancelado.',
  deliveredAlready: (at: Date) => `Este prêmio já foi entregue em ${dayOf(at)} às ${timeOf(at)}.`,
  notDelivered: 'Este prêmio não está marcado como entregue.',
  tooLateToUndo: 'A entrega só pode ser desfeita em até 24 horas.',
  expired: 'O prazo deste prêmio terminou.',
  voided: 'Este prêmio foi cancelado.',
} as const;

/** Proposals for the owner: sentences that the specification does not have. */
export const proposedVisitTexts = {
  busy: (seconds: number) => `Muitas tentativas. Aguarde ${seconds} segundos.`,
  opensAt: (at: Date) => `Esta roleta abre em ${dayOf(at)} às ${timeOf(at)}`,
  endedOn: (at: Date) => `Esta promoção terminou em ${dayOf(at)}`,
  allGiven: 'Todos os prêmios já foram sorteados. Obrigado por participar!',
} as const;

/** Proposals for the owner: receipts of prizes, and the data of the person who won. */
export const receiptTexts = {
  unknownCode: 'Não encontramos este código. Confira as letras.',
  erased: 'Estes dados já foram apagados.',
} as const;

/** Proposals for the owner: coupons of a prize. */
export const couponTexts = {
  unknownPrize: 'Salve o prêmio na roleta antes de colar os cupons.',
  physical: 'Só prêmios digitais têm cupons.',
  tooMany: (most: number) => `Use até ${most.toLocaleString('pt-BR')} cupons por prêmio.`,
} as const;
