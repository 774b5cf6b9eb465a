import { formatDate } from '../../lib/format';

/** Sentences of the page on which a winner rules over their data. Proposals for the owner. */

const keeper = (company: string | null) => company ?? 'Quem organiza a promoção';

export const privacyTexts = {
  documentTitle: 'Meus dados',
  title: 'Meus dados',
  loading: 'Abrindo os seus dados…',
  failed: 'Não conseguimos abrir os seus dados agora. Nada mudou: tente de novo.',
  open: 'Ver meus dados',
  receipt: 'Voltar ao comprovante',
  /** Who keeps the data, what for, and how long. */
  keeps: (company: string | null, wheelName: string, retainedUntil: string) =>
    `${keeper(company)} guarda estes dados para realizar “${wheelName}” e entregar o prêmio. Eles são apagados sozinhos em ${formatDate(retainedUntil)}.`,
  operator: (productName: string) => `O ${productName} os guarda para quem organiza e não usa para mais nada.`,
  stored: 'O que está guardado',
  handle: 'Instagram',
  number: 'Participação',
  numberValue: (number: number) => `nº ${number.toLocaleString('pt-BR')}`,
  drawnAt: 'Sorteado em',
  prize: 'Prêmio',
};

export const copyFileTexts = {
  copy: 'Baixar uma cópia',
  hint: 'Um arquivo com tudo o que está acima, que programas também leem.',
  /** @param code with hyphens */
  fileName: (code: string) => `meus-dados-${code.toLowerCase()}.json`,
  failed: 'Não conseguimos preparar a cópia agora. Tente de novo.',
};

export const consentTexts = {
  title: 'O que você aceitou',
  rules: (moment: string) => `Você aceitou o regulamento em ${moment}.`,
  none: 'Esta roleta não pediu nenhum aceite.',
  channels: {
    whatsapp: 'Novidades por WhatsApp',
    email: 'Novidades por e-mail',
    telefone: 'Novidades por telefone',
  },
  noNews: (company: string | null) => `${keeper(company)} não pode lhe mandar novidades.`,
  withdraw: 'Não quero mais',
  withdrawnAt: (moment: string) => `Você cancelou em ${moment}.`,
  withdrawLabel: (channel: string) => `${channel}: não quero mais`,
  failed: 'Não conseguimos cancelar agora. Tente de novo.',
};

export const eraseTexts = {
  title: 'Apagar meus dados',
  text: 'O seu @, as suas respostas e os seus aceites somem daqui e da lista de quem organiza.',
  open: 'Apagar meus dados',
  confirmTitle: 'Apagar todos os seus dados?',
  consequences: (company: string | null) => [
    'O seu @, as suas respostas e os seus aceites são apagados, e quem organiza é avisado para apagar o que já recebeu.',
    `${keeper(company)} não terá mais como falar com você. O código continua valendo: guarde-o se o prêmio ainda não foi entregue.`,
    'Com o mesmo @ você não gira esta roleta de novo.',
    'A linha do seu sorteio fica na auditoria, sem apontar para ninguém.',
    'Não dá para desfazer.',
  ],
  understood: 'Entendi e quero apagar',
  understandFirst: 'Marque que você entendeu.',
  confirm: 'Apagar tudo',
  failed: 'Não conseguimos apagar agora. Nada foi apagado: tente de novo.',
  doneTitle: 'Seus dados foram apagados',
  doneText: 'Daqui e da lista de quem organiza.',
};
