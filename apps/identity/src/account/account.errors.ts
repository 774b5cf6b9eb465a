import { AppError } from '@decola/service-kit';

/** The person protected the account with a second factor, and this session has not shown it. */
export class InsufficientAalError extends AppError {
  readonly code = 'insufficient_aal';
  readonly status = 403;
  constructor() {
    super('Confirme o código do seu aplicativo autenticador para continuar.');
  }
}

/** Too many wrong passwords: the question is not answered for a while, not even a right one. */
export class TooManyTriesError extends AppError {
  readonly code = 'too_many_requests';
  readonly status = 429;
  override readonly headers: Record<string, string>;
  constructor(seconds: number) {
    super('Muitas tentativas. Aguarde um instante e tente novamente.');
    this.headers = { 'retry-after': String(seconds) };
  }
}
