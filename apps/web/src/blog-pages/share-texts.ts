/** Sentences of the page's script, apart from the others so that the script stays small. */
export const shareTexts = {
  copied: 'Link copiado para área de transferência!',
  /** Proposal for the owner. */
  notCopied: 'Não deu para copiar o link',
};
