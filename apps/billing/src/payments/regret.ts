import type Stripe from 'stripe';
import type { DataSource } from 'typeorm';
import { asked } from '../stripe/stripe-client.js';
import { liveStatuses } from '../subscriptions/state.js';
import { subscriptionsOf } from '../subscriptions/subscription-rows.js';
import { broughtMoney } from './payments.js';

/** Consumer code, art. 49: calendar days, counted from the first payment of the contract. */
const regretDays = 7;

export class NothingToRefundError extends Error {}
export class TooLateToRefundError extends Error {}

/**
 * Gives a customer's contract back: everything it charged is refunded and the subscription ends at once. What follows from that reaches the
 * store by Stripe's events. Running it again, also after a failure half-way, gives nothing back twice.
 * @param anyway also after the days of regret.
 * @returns what it did, a line each.
 * @throws NothingToRefundError, TooLateToRefundError.
 */
export async function withdraw({
  dataSource,
  stripe,
  userId,
  now,
  anyway = false,
}: {
  dataSource: DataSource;
  stripe: Stripe;
  userId: string;
  now: Date;
  anyway?: boolean;
}): Promise<string[]> {
  const [latest] = await subscriptionsOf(dataSource.manager, userId);
  if (!latest) throw new NothingToRefundError('this person never had a subscription');
  const { data } = await asked('list', () => stripe.invoices.list({ subscription: latest.id, status: 'paid', limit: 100 }));
  const paid = data.filter(broughtMoney);
  const first = Math.min(...paid.map(({ status_transitions: { paid_at: at }, created }) => at ?? created));
  if (paid.length === 0) throw new NothingToRefundError('nothing was paid for the latest subscription');
  const lastDay = new Date((first + regretDays * 86_400) * 1000);
  if (now > lastDay && !anyway) throw new TooLateToRefundError(`the right of regret ended on ${lastDay.toISOString()}`);

  const done: string[] = [];
  for (const invoice of paid) done.push(...(await refund(stripe, invoice)));
  const subscription = await asked('subscription', () => stripe.subscriptions.retrieve(latest.id));
  if (liveStatuses.includes(subscription.status)) {
    await asked('subscription', () => stripe.subscriptions.cancel(latest.id, { invoice_now: false, prorate: false }));
    done.push(`subscription ${latest.id} ended`);
  }
  return done;
}

async function refund(stripe: Stripe, { id: invoice }: Stripe.Invoice): Promise<string[]> {
  const done: string[] = [];
  const { data } = await asked('list', () => stripe.invoicePayments.list({ invoice, status: 'paid', limit: 100 }));
  for (const { payment } of data) {
    const reference = payment.payment_intent;
    const intent = typeof reference === 'string' ? reference : reference?.id;
    if (!intent) continue;
    const charges = await asked('list', () => stripe.charges.list({ payment_intent: intent, limit: 100 }));
    const isOpen = charges.data.some(({ paid, refunded }) => paid && !refunded);
    if (!isOpen) continue;
    const { amount } = await asked('refund', () =>
      stripe.refunds.create({ payment_intent: intent, reason: 'requested_by_customer' }, { idempotencyKey: `regret:${intent}` }),
    );
    done.push(`invoice ${invoice}: ${amount} centavos given back`);
  }
  return done;
}
