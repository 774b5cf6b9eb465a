/** Sentences about requests to the auth service and about the links in its mails. The sign-in page loads them; what it does not need is in `app-texts.ts`. */

const sessionEnded = 'Sua sessão terminou. Entre novamente.';

/** What a person can do about a refusal of the auth service, by the refusal's code. */
export const authAdvice: Readonly<Record<string, string>> & { readonly over_request_rate_limit: string } = {
  over_request_rate_limit: 'Muitas tentativas em pouco tempo. Aguarde alguns minutos e tente novamente.',
  over_email_send_rate_limit: 'Já enviamos um email há pouco. Aguarde um minuto antes de pedir outro.',
  email_not_confirmed: 'Abra o link que enviamos para o seu email e entre de novo.',
  user_banned: 'Esta conta está suspensa. Fale com o suporte.',
  weak_password: 'Escolha uma senha mais forte.',
  same_password: 'A nova senha precisa ser diferente da atual.',
  email_exists: 'Este email já está em uso por outra conta.',
  user_already_exists: 'Já existe uma conta com este email. Entre com ela ou recupere a senha.',
  email_address_invalid: 'Confira o email digitado.',
  signup_disabled: 'Novos cadastros estão fechados no momento.',
  current_password_invalid: 'A senha atual está incorreta.',
  current_password_required: 'Digite sua senha atual.',
  insufficient_aal: 'Entre de novo e confirme com o código do seu aplicativo autenticador.',
  session_not_found: sessionEnded,
  bad_jwt: sessionEnded,
  mfa_verification_failed: 'Código incorreto. Digite o código que o aplicativo mostra agora.',
  mfa_challenge_expired: 'O código demorou demais. Digite o que o aplicativo mostra agora.',
  mfa_factor_name_conflict: 'Você já tem um aplicativo com este nome. Escolha outro.',
  too_many_enrolled_mfa_factors: 'Você chegou ao limite de aplicativos. Remova um antes de adicionar outro.',
};

export const authErrorTexts = {
  unreachable: 'Não foi possível conectar. Verifique sua internet e tente novamente.',
  unknown: 'Erro desconhecido',
};

/** Toasts of sign-in, sign-up and recovery, by the auth service's own message (specification, section 8). */
export const authToasts: Readonly<Record<string, string>> = {
  'Invalid login credentials': 'Email ou senha incorretos',
  'User already registered': 'Este email já está cadastrado',
};

export const mailLinkTexts = {
  halfConfirmed: 'Confirmado. Agora abra o link que enviamos para o outro email.',
  expired: 'Este link já foi usado ou expirou. Peça um novo.',
  refused: 'Não foi possível usar este link. Peça um novo.',
};
