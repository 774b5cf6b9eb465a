/** Sentences of the public page of a wheel, in the order in which visitors meet them. The specification's stand as they are there. */

export const stateTexts = {
  loading: 'Carregando...',
  /** The server did not answer. */
  failed: 'Erro ao carregar a roleta',
  /** The server answered something else. */
  unexpected: 'Erro inesperado ao carregar a roleta',
  retry: 'Tentar novamente',
};

export const formTexts = {
  title: 'Seus Dados',
  continue: 'Continuar',
  soldOut: 'Todos os prêmios já foram sorteados. Obrigado por participar!',
  /** No text came with the failure. */
  failed: 'Erro ao processar participação',
};

export const spinTexts = {
  title: 'Girando a Roleta!',
};

export const resultTexts = {
  title: 'Parabéns!',
  again: 'Nova Participação',
};

/** Proposals for the owner, from the wheel's design. */
export const visitProposals = {
  soldOut: 'Esgotado',
  prizes: 'Prêmios desta roleta',
  fairness: 'O tamanho das fatias não indica a chance; cada unidade restante tem a mesma chance.',
  commitment: (round: number, commitment: string) => `Sorteio conferível: rodada ${round}, compromisso ${commitment.slice(0, 12)}…`,
  rules: 'Regulamento',
  rulesWord: 'regulamento',
  privacyWord: 'aviso de privacidade',
  optional: '(opcional)',
  phoneExample: '(11) 98765-4321',
  acceptRules: 'Aceite o regulamento para continuar',
  seeEarlier: 'Já participou? Veja o seu prêmio',
  noEarlier: 'Não encontramos um giro com este @. Confira como ele aparece no Instagram.',
  tooMany: (seconds: number) => `Muitas tentativas. Aguarde ${seconds} segundos.`,
  nothingSpent: 'Confira a sua conexão. Nenhum giro foi gasto.',
  askSender: 'Fale com quem enviou o link.',
  spin: 'Girar',
  spinning: 'Girando…',
  confirming: 'Confirmando o seu giro, sem risco de girar duas vezes…',
  skip: 'Pular animação',
  sound: 'Som',
  youWon: 'Você ganhou',
  won: (prize: string) => `Você ganhou ${prize}`,
  types: { digital: 'Prêmio digital', physical: 'Prêmio físico' },
  defaultMessages: { physical: 'Entraremos em contato para combinar o envio.', digital: 'Você receberá as instruções.' },
  code: 'Código do prêmio',
  coupon: 'Cupom',
  codeMailed: 'O código do prêmio foi enviado para o seu e-mail.',
  copyCode: 'Copiar código',
  copyCoupon: 'Copiar cupom',
  copied: 'Copiado',
  copyFailed: 'Erro ao copiar',
  share: 'Compartilhar',
  shared: (prize: string, wheel: string) => `Ganhei ${prize} na roleta ${wheel}.`,
  receipt: 'Comprovante',
  qrLabel: 'QR do comprovante',
  number: (number: number) => `nº ${number}`,
  participation: (number: number) => `participação nº ${number}`,
  earlier: (day: string, time: string) =>
    `Você girou esta roleta em ${day}, às ${time}. O código aparece só no aparelho em que você girou.`,
  lostCode: 'Perdeu o código? Fale com quem organiza a promoção.',
  states: { delivered: 'Entregue', expired: 'Vencido', voided: 'Anulado' },
};
