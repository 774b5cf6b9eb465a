import { paymentFailed, type SubscriptionState, trialEnding } from '@decola/contracts';
import { rowsOf } from '@decola/database';
import { Outbox } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import type { EntityManager } from 'typeorm';
import { planByKey } from '../catalogue/plans.js';
import { StripeClient } from '../stripe/stripe-client.js';
import { cancellationDateOf } from './state.js';
import type { StoredSubscription } from './subscription-rows.js';

/** Publishes notices to customers about payments, each once. Identity listens and sends the e-mails. */
@Injectable()
export class Notices {
  constructor(
    private readonly outbox: Outbox,
    private readonly client: StripeClient,
    private readonly clock: Clock,
  ) {}

  /** Publishes that a trial ends and will be charged soon; nothing for a trial that was canceled. */
  async notifyTrialEnding(manager: EntityManager, subscription: StoredSubscription): Promise<void> {
    const { id, userId, status, trialEnd, planKey } = subscription;
    if (status !== 'trialing' || trialEnd === null || cancellationDateOf(subscription) !== null || trialEnd <= this.clock.now()) return;
    const { name, priceCents } = planByKey(planKey);
    if (await this.claimNotice(manager, `trial:${id}`, userId))
      await this.outbox.add(
        manager,
        trialEnding,
        { user_id: userId, plan_name: name, trial_ends_at: trialEnd.toISOString(), amount: priceCents },
        { subject: userId },
      );
  }

  /** Publishes that an attempt to charge an open invoice failed. @param state what the customer is entitled to now. */
  async notifyPaymentFailed(manager: EntityManager, userId: string, invoice: Stripe.Invoice, state: SubscriptionState): Promise<void> {
    if (invoice.status !== 'open') return;
    if (!(await this.claimNotice(manager, `payment:${invoice.id}:${invoice.attempt_count}`, userId))) return;
    await this.outbox.add(
      manager,
      paymentFailed,
      {
        user_id: userId,
        invoice_id: invoice.id,
        attempt: invoice.attempt_count,
        amount: invoice.amount_remaining,
        action_required: await this.isAuthenticationRequired(invoice.id),
        invoice_url: invoice.hosted_invoice_url ?? null,
        access_until: state.subscribed ? state.subscription_end : null,
      },
      { subject: userId },
    );
  }

  private async isAuthenticationRequired(invoiceId: string): Promise<boolean> {
    const payments = await this.client.request('list', (stripe) => stripe.invoicePayments.list({ invoice: invoiceId, limit: 10 }));
    for (const { payment } of payments.data) {
      const id = typeof payment.payment_intent === 'string' ? payment.payment_intent : payment.payment_intent?.id;
      if (!id) continue;
      const intent = await this.client.request('payment_intent', (stripe) => stripe.paymentIntents.retrieve(id));
      if (intent.status === 'requires_action' || intent.last_payment_error?.code === 'authentication_required') return true;
    }
    return false;
  }

  /** @returns false when this notice was published before. */
  private async claimNotice(manager: EntityManager, key: string, userId: string): Promise<boolean> {
    const inserted = await rowsOf(manager, 'insert into notices (key, user_id) values ($1, $2) on conflict do nothing returning key', [
      key,
      userId,
    ]);
    return inserted.length > 0;
  }
}
