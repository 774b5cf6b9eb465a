/** Sentences that every mail of the product contains. */
export const mailTexts = {
  /** In the plain text. */
  code: (code: string) => `Código: ${code}`,
  /** Above the code, where there is also a button. */
  orTypeTheCode: 'Ou digite este código:',
  /** Before the button's address. */
  buttonFails: 'O botão não funciona? Copie este endereço:',
  /** Before the address of the support. */
  needHelp: 'Precisa de ajuda? Escreva para',
} as const;
