import { Refusal } from '@decola/service-kit';

/** The person protected the account with a second factor, and this session has not shown it. */
export const insufficientAal = () =>
  new Refusal(403, 'insufficient_aal', 'Confirme o código do seu aplicativo autenticador para continuar.');

/** Too many wrong passwords: the question is not answered for a while, not even a right one. */
export const tooManyTries = (seconds: number) =>
  new Refusal(429, 'too_many_requests', 'Muitas tentativas. Aguarde um instante e tente novamente.', {
    headers: { 'retry-after': String(seconds) },
  });
