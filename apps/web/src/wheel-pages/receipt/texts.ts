import { formatDate } from '../../lib/format';

/** Sentences of a prize's receipt. Proposals for the owner, apart from 'Marcar como entregue'. */

export const receiptTexts = {
  documentTitle: (code: string) => `Comprovante ${code}`,
  title: 'Seu comprovante',
  types: { digital: 'Prêmio digital', physical: 'Prêmio físico' },
  states: { won: 'A entregar', delivered: 'Entregue', expired: 'Vencido', voided: 'Cancelado' },
  loading: 'Abrindo o comprovante…',
  failed: 'Não conseguimos abrir o comprovante agora. Ele continua valendo.',
  code: 'Código do prêmio',
  number: (number: number) => `participação nº ${number.toLocaleString('pt-BR')}`,
  coupon: 'Seu cupom',
  copyCoupon: 'Copiar cupom',
  qr: 'Código QR deste comprovante',
  share: 'Compartilhar',
  shareText: (prize: string) => `Meu prêmio: ${prize}`,
  shared: 'Endereço copiado',
  copyCode: 'Copiar código',
  print: 'Imprimir',
  open: 'Ver comprovante',
  myData: 'Meus dados',
  rules: 'Regulamento',
};

export const factTexts = {
  wheel: 'Promoção',
  drawnAt: 'Sorteado em',
  handle: 'Para',
  code: 'Código',
  number: 'Participação',
  numberValue: (number: number) => `nº ${number.toLocaleString('pt-BR')}`,
  validUntil: 'Vale até',
  expiredAt: 'Venceu em',
  deliveredAt: 'Entregue em',
  authorisation: 'Autorização',
  message: 'Mensagem enviada',
  reason: 'Motivo',
};

const untilText = (validUntil: string | null) => (validUntil === null ? '' : ` até ${formatDate(validUntil)}`);
const contactText = (company: string | null, contact: string | null) =>
  company === null && contact === null
    ? 'Fale com quem organiza a promoção.'
    : `Fale com ${company ?? 'quem organiza a promoção'}${contact === null ? '' : `: ${contact}`}.`;

/** What the winner should know and do, by the state of the prize. */
export const winnerTexts = {
  won: {
    physical: (validUntil: string | null) => `Mostre este código para receber o prêmio${untilText(validUntil)}.`,
    digital: (validUntil: string | null) => `Guarde este código: é com ele que o prêmio é entregue${untilText(validUntil)}.`,
    coupon: (validUntil: string | null) => `O seu cupom está abaixo. Ele vale${untilText(validUntil) || ' para um uso'}.`,
  },
  delivered: (day: string, time: string) => `Este prêmio foi entregue em ${day} às ${time}.`,
  expired: (validUntil: string | null, company: string | null, contact: string | null) =>
    `O prazo deste prêmio terminou${validUntil === null ? '' : ` em ${formatDate(validUntil)}`}. ${contactText(company, contact)}`,
  voided: (company: string | null, contact: string | null) => `Este prêmio foi cancelado. ${contactText(company, contact)}`,
};

export const ownerTexts = {
  titles: {
    won: 'Entregar o prêmio?',
    delivered: 'Este prêmio já foi entregue',
    expired: 'O prazo deste prêmio terminou',
    voided: 'Este prêmio foi cancelado',
  },
  deliveredNow: 'Prêmio entregue',
  texts: {
    won: 'Confira o @ no celular da pessoa e entregue.',
    delivered: (day: string, time: string) => `Este prêmio já foi entregue em ${day} às ${time}.`,
    expired: 'Ele não pode mais ser entregue por aqui.',
    voided: 'A unidade voltou para a roleta.',
  },
  deliveredNowText: 'Marcado agora, por você. O comprovante da pessoa já mostra.',
  /** From the sheet of the wheel. */
  deliver: 'Marcar como entregue',
  openWheel: 'Abrir a roleta',
  otherCode: 'Conferir outro código',
  undoQuestion: 'Foi engano? Dá para desfazer por 24 horas.',
  undo: 'Desfazer',
  undone: 'A entrega foi desfeita.',
  cancel: 'Cancelar este prêmio',
  isOwner: 'Você vê isto porque a roleta é sua',
  failed: 'Não deu certo. O prêmio está como antes: tente de novo.',
  signedOut: 'Sua sessão terminou. Entre de novo e abra este comprovante.',
  signIn: 'Entrar',
};

export const voidTexts = {
  title: 'Cancelar este prêmio?',
  text: 'A unidade volta para a roleta e pode ser ganha de novo. O comprovante da pessoa passa a dizer que o prêmio foi cancelado. Isto fica escrito na auditoria e não dá para desfazer.',
  reason: 'Por que o prêmio é cancelado?',
  reasonHint: 'Só você vê.',
  reasonMissing: 'Escreva por que o prêmio é cancelado.',
  /** @param handle with `@` */
  allowAgain: (handle: string) => `${handle} pode girar de novo`,
  confirm: 'Cancelar o prêmio',
};

export const proofTexts = {
  title: 'Conferir o sorteio',
  text: 'Este número foi decidido antes de você girar. Guarde a impressão abaixo: quando a rodada fechar, qualquer pessoa pode refazer a conta.',
  closedText: 'A rodada fechou e o segredo dela apareceu: agora qualquer pessoa pode refazer a conta.',
  hash: 'Impressão do seu sorteio',
  commitment: (round: number) => `Promessa da rodada ${round.toLocaleString('pt-BR')}, publicada antes do primeiro giro`,
  seed: 'Segredo da rodada',
  copy: 'Copiar',
  how: 'Como conferir',
  /** The button of a round that is closed. */
  check: 'Conferir este sorteio',
  checking: 'Conferindo…',
  again: 'Conferir de novo',
  seedKept: 'O segredo é o prometido',
  seedKeptText: 'A promessa publicada antes do primeiro giro foi feita dele',
  seedDiffers: 'O segredo não é o prometido',
  seedDiffersText: 'A promessa publicada antes do primeiro giro foi feita de outro segredo',
  notPublished: 'O resto da conta precisa da auditoria',
  notPublishedText: 'Quem organiza não a publicou. Peça o arquivo e confira em “Como conferir”.',
  failed: 'Não deu para conferir agora. O sorteio não muda por isso: tente de novo.',
};
