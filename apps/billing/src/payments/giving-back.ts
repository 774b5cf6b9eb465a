import type Stripe from 'stripe';

/** `asked` with a connection, or `StripeClient.ask`. */
type Ask = <Answer extends object>(expected: string, call: (stripe: Stripe) => Promise<Answer>) => Promise<Answer>;

/**
 * Gives back all that is left of what an invoice brought in. Running it again, also after a failure half-way, gives nothing back twice: what
 * was given back is passed over, and Stripe never gives back more than was charged. That is why it needs no idempotency key of ours, under
 * which Stripe would repeat a failure for a day.
 * @returns centavos, a number for each payment; empty when nothing was left.
 */
export async function giveBack(ask: Ask, invoice: string, reason: Stripe.RefundCreateParams.Reason): Promise<number[]> {
  const given: number[] = [];
  const { data } = await ask('list', (stripe) => stripe.invoicePayments.list({ invoice, status: 'paid', limit: 100 }));
  for (const { payment } of data) {
    const reference = payment.payment_intent;
    const intent = typeof reference === 'string' ? reference : reference?.id;
    if (!intent) continue;
    const charges = await ask('list', (stripe) => stripe.charges.list({ payment_intent: intent, limit: 100 }));
    if (!charges.data.some(({ paid, refunded }) => paid && !refunded)) continue;
    const { amount } = await ask('refund', (stripe) => stripe.refunds.create({ payment_intent: intent, reason }));
    given.push(amount);
  }
  return given;
}
