import type { AuthError } from '@supabase/supabase-js';

const unreachable = 'Não foi possível conectar. Verifique sua internet e tente novamente.';

/** What a person can do about a refusal of the auth service, by its code. */
const advice: Record<string, string> = {
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
  session_not_found: 'Sua sessão terminou. Entre novamente.',
  bad_jwt: 'Sua sessão terminou. Entre novamente.',
  mfa_verification_failed: 'Código incorreto. Digite o código que o aplicativo mostra agora.',
  mfa_challenge_expired: 'O código demorou demais. Digite o que o aplicativo mostra agora.',
  mfa_factor_name_conflict: 'Você já tem um aplicativo com este nome. Escolha outro.',
  too_many_enrolled_mfa_factors: 'Você chegou ao limite de aplicativos. Remova um antes de adicionar outro.',
};

type Refusal = Pick<AuthError, 'message' | 'code' | 'status'>;

/** A refusal in plain words, or null when the service's own message has to do. */
export function adviceFor({ code, status }: Refusal): string | null {
  if (status === undefined || status === 0) return code === undefined ? unreachable : (advice[code] ?? null);
  if (status === 429 && !code) return advice['over_request_rate_limit']!;
  return (code && advice[code]) || null;
}

/** A refusal as one sentence: in plain words where we have them, else as received. */
export function refusalText(error: Refusal): string {
  return adviceFor(error) ?? (error.message || 'Erro desconhecido');
}

const messages: Record<string, string> = {
  'Invalid login credentials': 'Email ou senha incorretos',
  'User already registered': 'Este email já está cadastrado',
};

/** What the toast of sign-in, sign-up and recovery says (specification, section 8): two messages in our words, others as received. */
export function toastText(error: Refusal): string {
  if (error.status === 0 || error.status === 429) return refusalText(error);
  return messages[error.message] ?? (error.message || 'Erro desconhecido');
}
