/** Stands for the category of an article while no category of its site is known; it is not stored. */
export const fallbackCategory = 'Blog';

/** Proposal for the owner: the line at the end of a customer's article whose automation wants it. Nobody may have revised it, so it does not say so. */
export const customerDisclosure = 'Escrito com apoio de IA.';

/** Proposals for the owner: answers of the functions about customers' articles. */
export const customerTexts = {
  notFound: 'Artigo não encontrado.',
  automationNotFound: 'Automação não encontrada.',
  /** The automation of an article was deleted, or has no address any more. */
  automationGone: 'A automação deste artigo foi apagada, por isso ele não pode ser enviado.',
  automationOff: 'Ligue a automação para tentar de novo.',
  titleEmpty: 'O título não pode ficar vazio.',
  contentEmpty: 'O artigo não pode ficar vazio.',
  /** @param terms what no customer's article is about */
  words: (terms: readonly string[]) =>
    `Este artigo fala de um assunto que não enviamos: ${terms.join(', ')}. Tire isso do título e dos subtítulos.`,
  notEditable: 'Este artigo não pode mais ser alterado.',
  rewriting: 'Este artigo está sendo reescrito. Espere alguns minutos.',
  notRepeatable: 'Este artigo não pode ser tentado de novo.',
  previewsPerDay: (most: number) => `Você já pediu novos assuntos ${most} vezes hoje. Tente de novo amanhã.`,
  retriesPerDay: (most: number) => `Você já tentou de novo ${most} vezes hoje. Tente de novo amanhã.`,
} as const;
