/** Sentences of the fields that several forms share. */

export const codeFieldTexts = {
  label: (digits: number) => `Código de ${digits} números`,
  invalid: (digits: number) => `Digite os ${digits} números do código.`,
};

export const newPasswordTexts = {
  password: 'Nova senha',
  passwordHint: (minLength: number) => `Pelo menos ${minLength} caracteres.`,
  confirmation: 'Confirmar nova senha',
  missing: {
    title: 'Campos obrigatórios',
    text: 'Preencha a nova senha e a confirmação.',
    password: 'Digite a nova senha.',
    confirmation: 'Repita a nova senha.',
  },
  different: {
    title: 'Senhas não coincidem',
    text: 'A nova senha e a confirmação precisam ser iguais.',
    confirmation: 'Digite a mesma senha nos dois campos.',
  },
  tooShort: {
    title: 'Senha muito curta',
    text: (minLength: number) => `A nova senha deve ter pelo menos ${minLength} caracteres.`,
    password: (minLength: number) => `Use pelo menos ${minLength} caracteres.`,
  },
};
