/** States of an article that is being written. */
export const articleStepTexts = {
  queued: 'Na fila',
  choosing: 'Escolhendo o assunto',
  outlining: 'Montando o roteiro',
  drafting: (words: string | null) => (words === null ? 'Escrevendo' : `Escrevendo (${words} palavras)`),
  reviewing: 'Revisando',
  illustrating: 'Criando a imagem',
};
