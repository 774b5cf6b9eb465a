import type Stripe from 'stripe';
import { NotRefundableError } from '../stripe/stripe.errors.js';

/** `requestStripe` with a connection, or `StripeClient.request`. */
type RequestStripe = <Answer extends object>(expected: string, call: (stripe: Stripe) => Promise<Answer>) => Promise<Answer>;

export interface RefundResult {
  /** Centavos, one number for each refunded payment; empty when nothing was left to refund. */
  amounts: number[];
  /** Ids of charges that the customer disputes: the bank decides about these, and Stripe refuses a refund. */
  disputed: string[];
}

/**
 * Refunds everything that an invoice collected. Safe to repeat, also after a failure half-way: refunded charges are skipped, and Stripe never
 * refunds more than was charged. Therefore it sends no idempotency key, under which Stripe would repeat a failure for 24 hours.
 * A charge that can never be refunded is not an error.
 */
export async function refundInvoice(
  request: RequestStripe,
  invoice: string,
  reason: Stripe.RefundCreateParams.Reason,
): Promise<RefundResult> {
  const result: RefundResult = { amounts: [], disputed: [] };
  const { data } = await request('list', (stripe) => stripe.invoicePayments.list({ invoice, status: 'paid', limit: 100 }));
  for (const { payment } of data) {
    const reference = payment.payment_intent;
    const intent = typeof reference === 'string' ? reference : reference?.id;
    if (!intent) continue;
    const charges = await request('list', (stripe) => stripe.charges.list({ payment_intent: intent, limit: 100 }));
    // An intent has at most one paid charge; the others are its failed attempts.
    const charge = charges.data.find(({ paid, refunded }) => paid && !refunded);
    if (!charge) continue;
    if (charge.disputed) {
      result.disputed.push(charge.id);
      continue;
    }
    try {
      const { amount } = await request('refund', (stripe) => stripe.refunds.create({ payment_intent: intent, reason }));
      result.amounts.push(amount);
    } catch (error) {
      // The charge was refunded or disputed after it was read.
      if (!(error instanceof NotRefundableError)) throw error;
      if (error.code !== 'charge_already_refunded') result.disputed.push(charge.id);
    }
  }
  return result;
}
