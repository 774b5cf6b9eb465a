export const sessionTexts = {
  signingOut: 'Saindo...',
};
