import { paymentReceived, paymentRefunded, type PlanKey } from '@decola/contracts';
import { Outbox } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import type { EntityManager } from 'typeorm';
import { planEverSold } from '../catalogue/catalogue.js';
import { StripeClient } from '../stripe/stripe-client.js';

/** Whether money came in with this invoice: those of a trial are paid, and are zero. */
export function broughtMoney({ status, amount_paid: amount }: Pick<Stripe.Invoice, 'status' | 'amount_paid'>): boolean {
  return status === 'paid' && amount > 0;
}

/** The money that came in and went back, an invoice at a time; each told once. */
@Injectable()
export class Payments {
  constructor(
    private readonly outbox: Outbox,
    private readonly client: StripeClient,
    private readonly clock: Clock,
  ) {}

  /** Notes a paid invoice and tells of it, unless that was done before. @param planKey the plan, when its lines name none of ours. */
  async received(manager: EntityManager, userId: string, subscriptionId: string, invoice: Stripe.Invoice, planKey: PlanKey): Promise<void> {
    const line = mainLineOf(invoice);
    const price = line?.pricing?.price_details?.price;
    const plan = price ? await planEverSold(manager, typeof price === 'string' ? price : price.id) : undefined;
    const paidAt = invoice.status_transitions.paid_at;
    const payment = {
      user_id: userId,
      invoice_id: invoice.id,
      amount: invoice.amount_paid,
      currency: 'brl' as const,
      period_start: moment(line?.period.start ?? invoice.period_start),
      period_end: moment(line?.period.end ?? invoice.period_end),
      plan_key: plan?.key ?? planKey,
      paid_at: paidAt === null ? this.clock.now().toISOString() : moment(paidAt),
    };
    const inserted = await manager.query<unknown[]>(
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

  /** Notes that an invoice noted before was given back in full. */
  async refunded(manager: EntityManager, invoiceId: string): Promise<void> {
    const now = this.clock.now();
    const [rows] = await manager.query<[{ user_id: string; amount: number }[], number]>(
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
    const rows = await manager.query<unknown[]>('select 1 from payments where invoice_id = $1 and refunded_at is not null', [invoiceId]);
    return rows.length > 0;
  }

  /** Whether any payment of a subscription was kept, as Stripe has it. */
  async anyKept(manager: EntityManager, subscriptionId: string): Promise<boolean> {
    const { data } = await this.client.ask('list', (stripe) =>
      stripe.invoices.list({ subscription: subscriptionId, status: 'paid', limit: 100 }),
    );
    for (const invoice of data) if (broughtMoney(invoice) && !(await this.wasRefunded(manager, invoice.id))) return true;
    return false;
  }
}

const moment = (seconds: number) => new Date(seconds * 1000).toISOString();

/** What the invoice is mostly for: of an upgrade's two lines, the new plan's, not the credit for the old one. */
function mainLineOf({ lines }: Stripe.Invoice): Stripe.InvoiceLineItem | undefined {
  return [...lines.data].sort((a, b) => b.amount - a.amount)[0];
}
