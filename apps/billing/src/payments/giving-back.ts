import type Stripe from 'stripe';
import { NothingToGiveBackError } from '../stripe/stripe.errors.js';

/** `asked` with a connection, or `StripeClient.ask`. */
type Ask = <Answer extends object>(expected: string, call: (stripe: Stripe) => Promise<Answer>) => Promise<Answer>;

export interface GivenBack {
  /** Centavos, a number for each payment; empty when nothing was left. */
  amounts: number[];
  /** Ids of charges that their customer disputes: of these the bank decides, and Stripe gives nothing back. */
  disputed: string[];
}

/**
 * Gives back all that is left of what an invoice brought in. Running it again, also after a failure half-way, gives nothing back twice: what
 * was given back is passed over, and Stripe never gives back more than was charged. That is why it needs no idempotency key of ours, under
 * which Stripe would repeat a failure for a day. What can never be given back is no failure.
 */
export async function giveBack(ask: Ask, invoice: string, reason: Stripe.RefundCreateParams.Reason): Promise<GivenBack> {
  const given: GivenBack = { amounts: [], disputed: [] };
  const { data } = await ask('list', (stripe) => stripe.invoicePayments.list({ invoice, status: 'paid', limit: 100 }));
  for (const { payment } of data) {
    const reference = payment.payment_intent;
    const intent = typeof reference === 'string' ? reference : reference?.id;
    if (!intent) continue;
    const charges = await ask('list', (stripe) => stripe.charges.list({ payment_intent: intent, limit: 100 }));
    // An intent has one charge that was paid; the others are its failed attempts.
    const charge = charges.data.find(({ paid, refunded }) => paid && !refunded);
    if (!charge) continue;
    if (charge.disputed) {
      given.disputed.push(charge.id);
      continue;
    }
    try {
      const { amount } = await ask('refund', (stripe) => stripe.refunds.create({ payment_intent: intent, reason }));
      given.amounts.push(amount);
    } catch (error) {
      // Refunded or disputed since it was read.
      if (!(error instanceof NothingToGiveBackError)) throw error;
      if (error.code !== 'charge_already_refunded') given.disputed.push(charge.id);
    }
  }
  return given;
}
