/** Sentences of the page on which people sign in, sign up and recover their password. */

const signedIn = { title: 'Login realizado com sucesso!', text: 'Redirecionando...' };
const mailFailed = 'Erro ao enviar email';
const mailSent = 'Email enviado com sucesso!';
const recover = 'Recuperar senha';

export const authPageTexts = {
  titles: { 'sign-in': 'Entre na sua conta', 'sign-up': 'Crie sua conta', forgot: recover },
  pageTitle: 'Autenticação',
  secondFactor: 'Confirme que é você',
  newPassword: 'Escolha uma nova senha',
  tabs: { label: 'Acesso', 'sign-in': 'Entrar', 'sign-up': 'Cadastrar' },
  refusedLink: { advice: 'Para mudar de email, entre e peça de novo em Minha Conta. Para uma nova senha:', recover },
  confirmEmail: (email: string) => `Enviamos um link para ${email}. Abra-o para confirmar seu email e depois entre aqui.`,
  continue: 'Entre para continuar de onde parou.',
};

/** Beside the forms, on screens with room for it. */
export const welcomeTexts = {
  label: 'O que você encontra',
  slogan: 'Seu Instagram cresce enquanto você trabalha.',
  pace: 'Automações no seu ritmo, pela sua própria sessão.',
  safety: 'Ao primeiro sinal do Instagram, tudo para e você sabe por quê.',
  record: 'Cada ação fica registrada. Você vê tudo o que foi feito.',
  trial: '7 dias grátis no plano Starter. Cancele quando quiser.',
};

export const emailFieldTexts = {
  label: 'Email',
  missing: 'Digite seu email.',
  invalid: 'Digite um email válido, como nome@exemplo.com.',
};

export const signInTexts = {
  password: 'Senha',
  passwordMissing: 'Digite sua senha.',
  signIn: 'Entrar',
  forgot: 'Esqueci minha senha',
  signedIn,
  failed: { title: 'Erro ao fazer login', credentials: 'Confira o email e a senha, ou recupere a senha abaixo.' },
  resend: 'Enviar o link de novo',
  resent: { title: mailSent, text: (email: string) => `Abra o link que enviamos para ${email}.` },
  resendFailed: mailFailed,
};

export const signUpTexts = {
  name: 'Nome completo (opcional)',
  password: 'Senha',
  create: 'Criar conta',
  created: { title: 'Conta criada com sucesso!', text: 'Você já pode fazer login.' },
  failed: { title: 'Erro ao criar conta', emailTaken: 'Já existe uma conta com este email. Entre com ela ou recupere a senha.' },
};

export const passwordRuleTexts = {
  length: 'Mínimo 8 caracteres',
  upperCase: 'Pelo menos 1 letra maiúscula',
  lowerCase: 'Pelo menos 1 letra minúscula',
  digit: 'Pelo menos 1 número',
  special: 'Pelo menos 1 caractere especial (!@#$%^&*)',
  label: 'A senha precisa de',
  met: 'Cumprido',
  unmet: 'Falta',
  summary: (met: number, total: number) => `${met} de ${total} regras cumpridas`,
};

export const forgotTexts = {
  hint: 'Enviaremos um link para você escolher uma nova senha.',
  send: 'Enviar link',
  sendAgain: 'Enviar de novo',
  sentTo: (email: string) =>
    `Se houver uma conta com ${email}, o link chega em instantes e vale por 1 hora. Não achou? Olhe também o spam.`,
  sent: { title: mailSent, text: 'Verifique sua caixa de entrada para redefinir sua senha.' },
  failed: mailFailed,
  hasCode: 'Já tenho um código',
  back: 'Voltar para entrar',
};

export const recoveryCodeTexts = {
  hint: 'Está no email de redefinição de senha, abaixo do botão.',
  wrong: 'Código incorreto ou vencido. Confira o email mais recente.',
  continue: 'Continuar',
  back: 'Pedir outro email',
};

export const newPasswordFormTexts = {
  save: 'Salvar nova senha',
  keep: 'Manter a senha atual',
  saved: 'Senha atualizada',
  failed: { title: 'Erro ao atualizar senha', field: 'Escolha outra senha e tente de novo.' },
};

export const secondFactorTexts = {
  whichApp: 'Qual aplicativo?',
  unnamedApp: (number: number) => `Aplicativo ${number}`,
  hint: 'Abra seu aplicativo autenticador e digite o código do momento.',
  confirm: 'Confirmar',
  otherAccount: 'Entrar com outra conta',
  signedIn,
};

/** Proposals for the owner. */
export const proposedTexts = {
  chosenPlan: (slots: number, price: string) =>
    `Seu plano: ${slots === 1 ? '1 slot' : `${slots} slots`} por ${price} por mês. O pagamento vem depois do cadastro.`,
};
