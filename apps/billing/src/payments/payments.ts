import { paymentReceived, paymentRefunded, type PlanKey } from '@decola/contracts';
import { rowOf, rowsOf } from '@decola/database';
import { Outbox } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import type { EntityManager } from 'typeorm';
import { findPlanByPrice } from '../catalogue/plan-prices.js';
import { StripeClient } from '../stripe/stripe-client.js';

/** Whether this invoice collected money. The invoice of a trial is `paid` too, with the amount zero. */
export function hasCollectedMoney({ status, amount_paid: amount }: Pick<Stripe.Invoice, 'status' | 'amount_paid'>): boolean {
  return status === 'paid' && amount > 0;
}

/** Records payments and full refunds, one row per invoice, and publishes each once. */
@Injectable()
export class Payments {
  constructor(
    private readonly outbox: Outbox,
    private readonly client: StripeClient,
    private readonly clock: Clock,
  ) {}

  /** Records a paid invoice and publishes `payment.received`; idempotent. @param planKey the plan when no invoice line has a price of ours. */
  async recordPayment(
    manager: EntityManager,
    userId: string,
    subscriptionId: string,
    invoice: Stripe.Invoice,
    planKey: PlanKey,
  ): Promise<void> {
    const line = mainLineOf(invoice);
    const price = line?.pricing?.price_details?.price;
    const plan = price ? await findPlanByPrice(manager, typeof price === 'string' ? price : price.id) : undefined;
    const paidAt = invoice.status_transitions.paid_at;
    const payment = {
      user_id: userId,
      invoice_id: invoice.id,
      amount: invoice.amount_paid,
      currency: 'brl' as const,
      period_start: isoTime(line?.period.start ?? invoice.period_start),
      period_end: isoTime(line?.period.end ?? invoice.period_end),
      plan_key: plan?.key ?? planKey,
      paid_at: paidAt === null ? this.clock.now().toISOString() : isoTime(paidAt),
    };
    const inserted = await rowsOf(
      manager,
      `insert into payments (invoice_id, user_id, stripe_subscription_id, plan_key, amount, period_start, period_end, paid_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning invoice_id`,
      [
        payment.invoice_id,
        userId,
        subscriptionId,
        payment.plan_key,
        payment.amount,
        payment.period_start,
        payment.period_end,
        payment.paid_at,
      ],
    );
    if (inserted.length > 0) await this.outbox.add(manager, paymentReceived, payment, { subject: userId });
  }

  /** Records that a recorded payment was refunded in full and publishes `payment.refunded`; idempotent. */
  async recordRefund(manager: EntityManager, invoiceId: string): Promise<void> {
    const now = this.clock.now();
    const rows = await rowsOf<{ user_id: string; amount: number }>(
      manager,
      'update payments set refunded_at = $2 where invoice_id = $1 and refunded_at is null returning user_id, amount',
      [invoiceId, now],
    );
    for (const { user_id: userId, amount } of rows)
      await this.outbox.add(
        manager,
        paymentRefunded,
        { user_id: userId, invoice_id: invoiceId, amount, currency: 'brl', refunded_at: now.toISOString() },
        { subject: userId },
      );
  }

  async wasRefunded(manager: EntityManager, invoiceId: string): Promise<boolean> {
    const row = await rowOf(manager, 'select 1 from payments where invoice_id = $1 and refunded_at is not null', [invoiceId]);
    return row !== undefined;
  }

  /** Whether Stripe has a payment of this subscription that was not refunded. */
  async hasUnrefundedPayment(manager: EntityManager, subscriptionId: string): Promise<boolean> {
    const { data } = await this.client.request('list', (stripe) =>
      stripe.invoices.list({ subscription: subscriptionId, status: 'paid', limit: 100 }),
    );
    for (const invoice of data) if (hasCollectedMoney(invoice) && !(await this.wasRefunded(manager, invoice.id))) return true;
    return false;
  }
}

const isoTime = (seconds: number) => new Date(seconds * 1000).toISOString();

/** The line with the largest amount: of an upgrade's two lines the new plan's, not the credit for the old one. */
function mainLineOf({ lines }: Stripe.Invoice): Stripe.InvoiceLineItem | undefined {
  return [...lines.data].sort((a, b) => b.amount - a.amount)[0];
}
