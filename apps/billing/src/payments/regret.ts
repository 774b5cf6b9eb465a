import type Stripe from 'stripe';
import type { DataSource } from 'typeorm';
import { asked } from '../stripe/stripe-client.js';
import { liveStatuses } from '../subscriptions/state.js';
import { subscriptionsOf } from '../subscriptions/subscription-rows.js';
import { giveBack } from './giving-back.js';
import { broughtMoney } from './payments.js';

/** Consumer code, art. 49: calendar days, counted from the first payment of the contract. */
const regretDays = 7;

export class NothingToRefundError extends Error {}
export class TooLateToRefundError extends Error {}

/**
 * Gives a customer's contract back: everything it charged is refunded, but what is disputed, and the subscription ends at once. What follows from that reaches the
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
  for (const { id: invoice } of paid) {
    const given = await giveBack((expected, call) => asked(expected, () => call(stripe)), invoice, 'requested_by_customer');
    for (const amount of given.amounts) done.push(`invoice ${invoice}: ${amount} centavos given back`);
    for (const charge of given.disputed) done.push(`invoice ${invoice}: charge ${charge} is disputed, nothing of it given back`);
  }
  const subscription = await asked('subscription', () => stripe.subscriptions.retrieve(latest.id));
  if (liveStatuses.includes(subscription.status)) {
    await asked('subscription', () => stripe.subscriptions.cancel(latest.id, { invoice_now: false, prorate: false }));
    done.push(`subscription ${latest.id} ended`);
  }
  return done;
}
