import { AppError } from '@decola/service-kit';

/** Stripe could not be asked: the connection, its own trouble, or an answer that is none. The page has a text of its own. */
export class ProviderUnavailableError extends AppError {
  readonly code = 'provider_unavailable';
  readonly status = 502;
  constructor(
    /** For the log alone. */
    readonly reason: string,
    /**
     * Whether this was Stripe's own answer (5xx), which it keeps for a day: a repeat with the same idempotency key gets it again. False when
     * nobody knows what became of the call; its key makes a repeat safe.
     */
    readonly isAnswer = false,
  ) {
    super('');
  }
}

/** Stripe refused what billing asked: keys, permissions or parameters are wrong. Operators must look. */
export class BillingMisconfiguredError extends AppError {
  readonly code = 'billing_error';
  readonly status = 500;
  constructor(readonly reason: string) {
    super('');
  }
}

/** An object that Stripe does not have, or has no more. */
export class MissingAtStripeError extends Error {
  constructor(readonly what: string) {
    super(`Stripe has no ${what}`);
  }
}

/** What Stripe says of a charge of which it gives nothing back, however often it is asked. */
export const nothingToGiveBackCodes = ['charge_already_refunded', 'charge_disputed', 'refund_disputed_payment'] as const;

/** Stripe gives nothing back of this charge, now or later: all of it was given back, or its bank took it into a dispute. */
export class NothingToGiveBackError extends Error {
  constructor(readonly code: (typeof nothingToGiveBackCodes)[number]) {
    super(`nothing to give back: ${code}`);
  }
}

/** The card refused, or the bank wants to ask its customer. */
export class CardRefusedError extends Error {
  constructor(
    readonly code: string,
    readonly declineCode: string | undefined,
  ) {
    super(`card refused: ${code}`);
  }

  /** Whether the customer can pass by answering the bank. */
  get wantsAuthentication(): boolean {
    const codes = ['authentication_required', 'subscription_payment_intent_requires_action', 'invoice_payment_intent_requires_action'];
    return codes.includes(this.code) || (this.declineCode !== undefined && codes.includes(this.declineCode));
  }
}

const declineTexts: Record<string, string> = {
  insufficient_funds: 'Saldo ou limite insuficiente no cartão.',
  expired_card: 'Cartão vencido.',
  incorrect_cvc: 'Código de segurança incorreto.',
  processing_error: 'O banco não respondeu. Tente novamente.',
};

/** What a person reads when a card refuses. Lost, stolen and fraudulent are never named. */
export function declineText({ code, declineCode }: CardRefusedError): string {
  return declineTexts[declineCode ?? ''] ?? declineTexts[code] ?? 'O cartão foi recusado. Use outro cartão.';
}
