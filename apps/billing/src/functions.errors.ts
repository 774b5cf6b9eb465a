import { AppError } from '@decola/service-kit';
import { ExpectedRefusal } from './stripe/stripe.errors.js';

export class UnknownPriceError extends AppError {
  readonly code = 'unknown_price';
  readonly status = 400;
  constructor() {
    super('Plano não encontrado. Atualize a página.');
  }
}

export class AlreadySubscribedError extends AppError {
  readonly code = 'already_subscribed';
  readonly status = 409;
  constructor() {
    super('Você já tem uma assinatura ativa.');
  }
}

export class SlotsExceedPlanError extends AppError {
  readonly code = 'slots_exceed_plan';
  readonly status = 409;
  constructor(used: number) {
    super(`Você tem ${used} automações criadas. Exclua algumas para escolher este plano.`);
  }
}

export class NoActiveSubscriptionError extends AppError {
  readonly code = 'no_active_subscription';
  readonly status = 400;
  constructor() {
    super('Você não tem uma assinatura ativa.');
  }
}

export class NoBillingAccountError extends AppError {
  readonly code = 'no_billing_account';
  readonly status = 404;
  constructor() {
    super('Você ainda não tem uma assinatura.');
  }
}

export class PortalNotConfiguredError extends AppError {
  readonly code = 'portal_not_configured';
  readonly status = 400;
  /** @param sentence Stripe's own; the page looks for "No configuration provided" in it. */
  constructor(sentence: string) {
    super(sentence);
  }
}

export const samePlan = () => new ExpectedRefusal('same_plan', 'Este já é o seu plano.');
export const paymentPending = () => new ExpectedRefusal('payment_pending', 'Há um pagamento pendente. Regularize em Minha Assinatura.');
export const changeInProgress = () => new ExpectedRefusal('change_in_progress', 'Uma alteração já está em andamento. Aguarde um instante.');
export const authenticationRequired = (url: string | undefined) =>
  new ExpectedRefusal('authentication_required', 'Seu banco pediu uma confirmação. Continue em Minha Assinatura.', url ? { url } : {});
