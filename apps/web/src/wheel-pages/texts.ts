/** Sentences that every page of the wheel has. */

export const frameTexts = {
  poweredBy: 'Powered by',
  /** Proposal for the owner: describes a logo without a company's name. */
  logo: 'Logotipo de quem organiza a promoção',
};

/** Proposals for the owner. */
export const copyTexts = { copied: 'Copiado', failed: 'Não deu para copiar' };
export const confirmTexts = { back: 'Voltar' };

/** The field for the code of a prize. Proposals for the owner. */
export const codeFormTexts = {
  documentTitle: 'Código não encontrado',
  title: 'Não achamos este código',
  text: 'Confira letra por letra. O zero e a letra O valem o mesmo; o 1, o I e o L também.',
  label: 'Código do prêmio',
  wrongLetter: 'A última letra não confere com as outras. Veja se copiou tudo.',
  unknown: 'Nenhum prêmio tem este código.',
};
