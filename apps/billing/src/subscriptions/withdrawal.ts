import type Stripe from 'stripe';
import type { DataSource } from 'typeorm';
import { hasCollectedMoney } from '../payments/payments.js';
import { refundInvoice } from '../payments/refunds.js';
import { requestStripe } from '../stripe/stripe-client.js';
import { liveStatuses } from './state.js';
import { listSubscriptions } from './subscription-rows.js';

/** Right of withdrawal, article 49 of the Brazilian consumer code: calendar days from the first payment of the contract. */
const withdrawalDays = 7;

export class NothingToRefundError extends Error {}
export class TooLateToRefundError extends Error {}

/**
 * Withdraws a customer's contract: refunds all its payments except disputed ones, and cancels the subscription at once. The database follows by
 * Stripe's events. Safe to repeat, also after a failure half-way.
 * @param anyway also after the withdrawal period.
 * @returns one line for each refund and cancellation.
 * @throws NothingToRefundError, TooLateToRefundError.
 */
export async function withdrawContract({
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
  const [latest] = await listSubscriptions(dataSource.manager, userId);
  if (!latest) throw new NothingToRefundError('this person never had a subscription');
  const { data } = await requestStripe('list', () => stripe.invoices.list({ subscription: latest.id, status: 'paid', limit: 100 }));
  const paid = data.filter(hasCollectedMoney);
  const firstPaidAt = Math.min(...paid.map(({ status_transitions: { paid_at: paidAt }, created }) => paidAt ?? created));
  if (paid.length === 0) throw new NothingToRefundError('nothing was paid for the latest subscription');
  const lastDay = new Date((firstPaidAt + withdrawalDays * 86_400) * 1000);
  if (now > lastDay && !anyway) throw new TooLateToRefundError(`the right of withdrawal ended on ${lastDay.toISOString()}`);

  const done: string[] = [];
  for (const { id: invoice } of paid) {
    const refund = await refundInvoice((expected, call) => requestStripe(expected, () => call(stripe)), invoice, 'requested_by_customer');
    for (const amount of refund.amounts) done.push(`invoice ${invoice}: ${amount} centavos refunded`);
    for (const charge of refund.disputed) done.push(`invoice ${invoice}: charge ${charge} is disputed, not refunded`);
  }
  const subscription = await requestStripe('subscription', () => stripe.subscriptions.retrieve(latest.id));
  if (liveStatuses.includes(subscription.status)) {
    await requestStripe('subscription', () => stripe.subscriptions.cancel(latest.id, { invoice_now: false, prorate: false }));
    done.push(`subscription ${latest.id} canceled`);
  }
  return done;
}
