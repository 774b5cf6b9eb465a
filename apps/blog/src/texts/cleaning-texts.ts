/** Proposals for the owner: the cleaning of articles. */
export const cleaningTexts = {
  nothingToUndo: 'Esta limpeza não existe mais ou não mudou nenhum artigo.',
} as const;
