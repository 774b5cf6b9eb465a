import { AppError } from '@decola/service-kit';
import { cardRefusals } from '../texts/texts.js';

/** Stripe could not be reached, failed itself (5xx), or sent an invalid answer. The web app has a text of its own for the code. */
export class ProviderUnavailableError extends AppError {
  readonly code = 'provider_unavailable';
  readonly status = 502;
  override readonly publicMessage = '';
  constructor(
    /** For logs and operators; never in an answer. */
    readonly reason: string,
    /**
     * True when Stripe answered with a 5xx: it stores the answer for 24 hours, so a retry with the same idempotency key gets the same failure.
     * False when the outcome of the call is unknown: a retry with the same key is safe.
     */
    readonly isCached = false,
  ) {
    super(reason);
  }
}

/** Stripe refused a request of billing because of its key, permissions or parameters: an operator must fix it. */
export class BillingMisconfiguredError extends AppError {
  readonly code = 'billing_error';
  readonly status = 500;
  override readonly publicMessage = '';
  constructor(
    /** For logs and operators; never in an answer. */
    readonly reason: string,
  ) {
    super(reason);
  }
}

/** Stripe does not have the object, or no longer has it. @param what the parameter that named it. */
export class MissingAtStripeError extends Error {
  constructor(readonly what: string) {
    super(`Stripe has no ${what}`);
  }
}

/** Error codes with which Stripe refuses a refund for good: no retry succeeds. */
export const notRefundableCodes = ['charge_already_refunded', 'charge_disputed', 'refund_disputed_payment'] as const;

/** Stripe will never refund this charge: it is refunded already, or disputed at the customer's bank. */
export class NotRefundableError extends Error {
  constructor(readonly code: (typeof notRefundableCodes)[number]) {
    super(`not refundable: ${code}`);
  }
}

/** The card was declined, or the bank wants its customer to authenticate. */
export class CardRefusedError extends Error {
  constructor(
    readonly code: string,
    readonly declineCode: string | undefined,
  ) {
    super(`card refused: ${code}`);
  }

  /** Whether the payment can succeed once the customer authenticates with the bank. */
  get needsAuthentication(): boolean {
    const codes = ['authentication_required', 'subscription_payment_intent_requires_action', 'invoice_payment_intent_requires_action'];
    return codes.includes(this.code) || (this.declineCode !== undefined && codes.includes(this.declineCode));
  }
}

/** The text for a customer whose card was declined. */
export function declineText({ code, declineCode }: CardRefusedError): string {
  return cardRefusals[declineCode ?? ''] ?? cardRefusals[code] ?? cardRefusals.default;
}
