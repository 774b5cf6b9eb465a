import { paymentFailed, type SubscriptionState, trialEnding } from '@decola/contracts';
import { Outbox } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import type { EntityManager } from 'typeorm';
import { planByKey } from '../catalogue/plans.js';
import { StripeClient } from '../stripe/stripe-client.js';
import { stopOf } from '../subscriptions/state.js';
import type { StoredSubscription } from '../subscriptions/subscription-rows.js';

/** What a person must be told about their money, each thing once. Identity, which knows how to reach people, writes to them. */
@Injectable()
export class Notices {
  constructor(
    private readonly outbox: Outbox,
    private readonly client: StripeClient,
    private readonly clock: Clock,
  ) {}

  /** A trial that will be charged soon. One that was cancelled will not be. */
  async trialEnding(manager: EntityManager, subscription: StoredSubscription): Promise<void> {
    const { id, userId, status, trialEnd, planKey } = subscription;
    if (status !== 'trialing' || trialEnd === null || stopOf(subscription) !== null || trialEnd <= this.clock.now()) return;
    const { name, priceCents } = planByKey(planKey);
    if (await this.isFirst(manager, `trial:${id}`, userId))
      await this.outbox.add(
        manager,
        trialEnding,
        { user_id: userId, plan_name: name, trial_ends_at: trialEnd.toISOString(), amount: priceCents },
        { subject: userId },
      );
  }

  /** An invoice that could not be charged and is still open. @param state what the person may use now. */
  async paymentFailed(manager: EntityManager, userId: string, invoice: Stripe.Invoice, state: SubscriptionState): Promise<void> {
    if (invoice.status !== 'open') return;
    if (!(await this.isFirst(manager, `payment:${invoice.id}:${invoice.attempt_count}`, userId))) return;
    await this.outbox.add(
      manager,
      paymentFailed,
      {
        user_id: userId,
        invoice_id: invoice.id,
        attempt: invoice.attempt_count,
        amount: invoice.amount_remaining,
        action_required: await this.isBankAsking(invoice.id),
        invoice_url: invoice.hosted_invoice_url ?? null,
        access_until: state.subscribed ? state.subscription_end : null,
      },
      { subject: userId },
    );
  }

  private async isBankAsking(invoiceId: string): Promise<boolean> {
    const payments = await this.client.ask('list', (stripe) => stripe.invoicePayments.list({ invoice: invoiceId, limit: 10 }));
    for (const { payment } of payments.data) {
      const id = typeof payment.payment_intent === 'string' ? payment.payment_intent : payment.payment_intent?.id;
      if (!id) continue;
      const intent = await this.client.ask('payment_intent', (stripe) => stripe.paymentIntents.retrieve(id));
      if (intent.status === 'requires_action' || intent.last_payment_error?.code === 'authentication_required') return true;
    }
    return false;
  }

  private async isFirst(manager: EntityManager, key: string, userId: string): Promise<boolean> {
    const inserted = await manager.query<unknown[]>(
      'insert into notices (key, user_id) values ($1, $2) on conflict do nothing returning key',
      [key, userId],
    );
    return inserted.length > 0;
  }
}
