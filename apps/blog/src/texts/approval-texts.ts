/** Texts of approvals: `waiting` is the specification's, the others are proposals for the owner. */
export const approvalTexts = {
  /** @param date `31/12/2026` */
  waiting: (date: string) => `Aguardando sua aprovação até ${date}`,
  doubts: (count: number) =>
    count === 1 ? 'Uma afirmação do texto precisa da sua confirmação.' : `${count} afirmações do texto precisam da sua confirmação.`,
  notRewritten: (reason: string) => `Não foi possível reescrever; o texto continua como estava. ${reason}`,
  rejected: 'Você recusou este artigo.',
  expired: 'Ninguém aprovou este artigo em 7 dias.',
  decided: 'Este artigo já foi decidido.',
  changed: 'O artigo mudou depois que esta página foi aberta. Abra o link de novo.',
  linkOld: 'Este link não vale mais. Abra seus artigos para decidir.',
  linkUnknown: 'Este link não existe.',
  noteMissing: 'Escreva o que deve mudar.',
  rewrittenOnce: 'Este artigo já foi reescrito uma vez. Edite o texto ou decida como ele está.',
} as const;

/** Proposals for the owner: the mail that asks for an approval, and its reminder. */
export const approvalMailTexts = {
  subject: (title: string) => `Aprove o artigo: ${title}`,
  reminder: (title: string) => `Lembrete: o artigo “${title}” espera por você`,
  sign: 'Precisa de você',
  /** @param date `31/12/2026` */
  lead: (site: string, date: string) =>
    `Um artigo para ${site} está pronto. Leia e decida até ${date}; sem a sua aprovação ele não é enviado.`,
  button: 'Ler e decidir',
  footer: 'Abrir este link não aprova nada: você decide na página. Só quem tem este e-mail pode usar o link.',
} as const;
