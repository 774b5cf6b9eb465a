import { BROKER_CONNECTION, consumeJobs, type RunningJobs } from '@decola/messaging';
import { Clock, Logger } from '@decola/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { AmqpConnectionManager } from 'amqp-connection-manager';
import type Stripe from 'stripe';
import { DataSource, type EntityManager } from 'typeorm';
import { type BillingAccount, BillingAccounts } from '../accounts/billing-accounts.js';
import { CheckoutService } from '../checkout/checkout.service.js';
import { Notices } from '../payments/notices.js';
import { broughtMoney, Payments } from '../payments/payments.js';
import { StripeClient } from '../stripe/stripe-client.js';
import { MissingAtStripeError } from '../stripe/stripe.errors.js';
import { SubscriptionPublisher } from '../subscriptions/subscription-publisher.js';
import { findSubscription } from '../subscriptions/subscription-rows.js';
import { SubscriptionSync } from '../subscriptions/subscription-sync.js';
import { type Target, targetOf } from './event-targets.js';
import { processStripeEvent, stripeEventsQueue } from './stripe-event-job.js';

interface StoredEvent {
  type: string;
  status: string;
  body: Stripe.Event | null;
}

const prefetch = 8;

/** Works through stored events: each says only where to look. Any order, any number of times, one end. */
@Injectable()
export class EventProcessor implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private jobs: RunningJobs | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: BillingAccounts,
    private readonly client: StripeClient,
    private readonly checkout: CheckoutService,
    private readonly sync: SubscriptionSync,
    private readonly publisher: SubscriptionPublisher,
    private readonly payments: Payments,
    private readonly notices: Notices,
    private readonly clock: Clock,
    private readonly logger: Logger,
    @Inject(BROKER_CONNECTION) private readonly connection: AmqpConnectionManager,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs = consumeJobs({
      connection: this.connection,
      name: 'billing stripe events',
      job: processStripeEvent,
      queues: [stripeEventsQueue],
      prefetch: () => prefetch,
      handle: ({ event_id: eventId }) => this.process(eventId),
      onError: (error, delivery) =>
        this.logger.error({ err: error, message: delivery?.messageId }, 'an event of Stripe could not be worked through'),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.jobs?.stop();
  }

  /** @throws when it must be tried again. */
  async process(eventId: string): Promise<void> {
    const [event] = await this.dataSource.query<StoredEvent[]>('select type, status, body from stripe_events where event_id = $1', [
      eventId,
    ]);
    if (!event || event.status === 'done' || event.status === 'ignored') return;
    const target = event.body ? targetOf(event.body) : undefined;
    try {
      if (!target || !(await this.lookAt(eventId, target))) await this.close(this.dataSource.manager, eventId, 'ignored');
    } catch (error) {
      await this.dataSource.query(`update stripe_events set status = 'failed', attempts = attempts + 1, error = $2 where event_id = $1`, [
        eventId,
        error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : 'unknown',
      ]);
      throw error;
    }
  }

  /** @returns false when it concerns nothing of ours. */
  private async lookAt(eventId: string, target: Target): Promise<boolean> {
    switch (target.kind) {
      case 'subscription':
        return this.lookAtSubscription(eventId, target.id);
      case 'ending-trial':
        return this.lookAtSubscription(eventId, target.id, async (manager) => {
          const stored = await findSubscription(manager, target.id);
          if (stored) await this.notices.trialEnding(manager, stored);
        });
      case 'session':
        return this.lookAtSession(eventId, target.id);
      case 'invoice':
        return this.lookAtInvoice(eventId, target.id);
      case 'refund':
        return this.lookAtRefund(eventId, target.id);
      case 'expired-session':
        await this.dataSource.transaction(async (manager) => {
          await manager.query(
            `update checkout_intents set status = 'expired', url = null where stripe_session_id = $1 and status = 'open'`,
            [target.id],
          );
          await this.close(manager, eventId, 'done');
        });
        return true;
      case 'deleted-customer':
        return this.unlink(eventId, target.id);
      case 'alert':
        this.client.alert(target.what, { object: target.id });
        await this.close(this.dataSource.manager, eventId, 'done');
        return true;
    }
  }

  private async lookAtSubscription(
    eventId: string,
    subscriptionId: string,
    then: (manager: EntityManager) => Promise<void> = () => Promise.resolve(),
  ): Promise<boolean> {
    const stored = await findSubscription(this.dataSource.manager, subscriptionId);
    const userId = stored?.userId ?? (await this.ownerAtStripe(subscriptionId));
    if (!userId) return false;
    const looked = this.under(eventId, userId, async (manager, account) => {
      await this.sync.look(manager, account, subscriptionId);
      await then(manager);
    });
    return (await looked.catch(noneIfMissing)) ?? false;
  }

  /** Whose subscription it is, by Stripe; undefined when it is gone, is nobody's of ours, or was somebody's who left. */
  private async ownerAtStripe(subscriptionId: string): Promise<string | undefined> {
    const { manager } = this.dataSource;
    const hint = await this.client.ask('subscription', (stripe) => stripe.subscriptions.retrieve(subscriptionId)).catch(noneIfMissing);
    if (!hint) return undefined;
    const userId = await this.sync.userOf(manager, hint);
    if (userId) return userId;
    const isNobodys = !hint.metadata['user_id'] || (await this.sync.isOfErased(manager, hint));
    return isNobodys ? undefined : this.sync.park(subscriptionId);
  }

  private async lookAtSession(eventId: string, sessionId: string): Promise<boolean> {
    const session = await this.client
      .ask('checkout.session', (stripe) => stripe.checkout.sessions.retrieve(sessionId))
      .catch(noneIfMissing);
    const userId = session && (await this.userOf(session.customer));
    if (!session || !userId) return false;
    return this.under(eventId, userId, (manager, account) =>
      session.status === 'complete' ? this.checkout.finish(manager, account, session) : Promise.resolve(undefined),
    );
  }

  private async lookAtInvoice(eventId: string, invoiceId: string): Promise<boolean> {
    const invoice = await this.client.ask('invoice', (stripe) => stripe.invoices.retrieve(invoiceId)).catch(noneIfMissing);
    const reference = invoice?.parent?.subscription_details?.subscription;
    const subscriptionId = typeof reference === 'string' ? reference : reference?.id;
    const userId = invoice && (await this.userOf(invoice.customer));
    if (!invoice || !subscriptionId || !userId) return false;
    return this.under(eventId, userId, async (manager, account) => {
      const state = await this.sync.look(manager, account, subscriptionId);
      const now = await this.client.ask('invoice', (stripe) => stripe.invoices.retrieve(invoiceId));
      if (!broughtMoney(now)) return this.notices.paymentFailed(manager, userId, now, state);
      await this.notePayment(manager, userId, subscriptionId, now);
      await this.publisher.publish(manager, account);
    });
  }

  /** Only a payment of a subscription that is stored: another is left to the event that stores it. */
  private async notePayment(manager: EntityManager, userId: string, subscriptionId: string, invoice: Stripe.Invoice): Promise<void> {
    const stored = await findSubscription(manager, subscriptionId);
    if (!stored) return;
    await this.payments.received(manager, userId, subscriptionId, invoice, stored.planKey);
    const isKept = !(await this.payments.wasRefunded(manager, invoice.id));
    if (isKept && !stored.everPaid)
      await manager.query('update billing_subscriptions set ever_paid = true where stripe_subscription_id = $1', [subscriptionId]);
  }

  /** Money given back in full undoes what it bought: a subscription of which nothing is kept has no grace. Partial refunds change nothing. */
  private async lookAtRefund(eventId: string, chargeId: string): Promise<boolean> {
    this.client.alert('a payment was given back', { object: chargeId });
    const charge = await this.client.ask('charge', (stripe) => stripe.charges.retrieve(chargeId)).catch(noneIfMissing);
    const userId = charge && (await this.userOf(charge.customer));
    const intent = typeof charge?.payment_intent === 'string' ? charge.payment_intent : charge?.payment_intent?.id;
    if (!charge?.refunded || !userId || !intent) return false;
    const paid = await this.client.ask('list', (stripe) =>
      stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: intent }, limit: 10 }),
    );
    return this.under(eventId, userId, async (manager, account) => {
      for (const { invoice: reference } of paid.data) {
        const invoice = await this.client.ask('invoice', (stripe) =>
          stripe.invoices.retrieve(typeof reference === 'string' ? reference : reference.id),
        );
        const subscription = invoice.parent?.subscription_details?.subscription;
        if (!subscription) continue;
        const subscriptionId = typeof subscription === 'string' ? subscription : subscription.id;
        await this.sync.look(manager, account, subscriptionId);
        await this.notePayment(manager, userId, subscriptionId, invoice);
        await this.payments.refunded(manager, invoice.id);
        await manager.query('update billing_subscriptions set ever_paid = $2 where stripe_subscription_id = $1', [
          subscriptionId,
          await this.payments.anyKept(manager, subscriptionId),
        ]);
      }
      await this.publisher.publish(manager, account);
    });
  }

  private async unlink(eventId: string, customerId: string): Promise<boolean> {
    const userId = await this.accounts.userOfCustomer(this.dataSource.manager, customerId);
    if (!userId) return false;
    return this.under(eventId, userId, async (manager, account) => {
      await manager.query(
        `update billing_subscriptions set status = 'canceled', ended_at = coalesce(ended_at, $2), fetched_at = $2 where stripe_customer_id = $1 and status <> 'canceled'`,
        [customerId, this.clock.now()],
      );
      await this.accounts.linkCustomer(manager, userId, null);
      await this.publisher.publish(manager, account);
    });
  }

  /** The effect and the end of the event in one transaction, under the user's lock. */
  private async under(
    eventId: string,
    userId: string,
    work: (manager: EntityManager, account: BillingAccount) => Promise<unknown>,
  ): Promise<true> {
    await this.accounts.locked(userId, async (manager, account) => {
      // Delivered twice at once: the other one was first.
      const [event] = await manager.query<{ status: string }[]>('select status from stripe_events where event_id = $1', [eventId]);
      if (event?.status === 'done' || event?.status === 'ignored') return;
      await work(manager, account);
      await this.close(manager, eventId, 'done');
    });
    return true;
  }

  private async close(manager: EntityManager, eventId: string, status: 'done' | 'ignored'): Promise<void> {
    await manager.query(
      `update stripe_events set status = $2, attempts = attempts + 1, error = null, body = null, processed_at = $3 where event_id = $1 and status not in ('done', 'ignored')`,
      [eventId, status, this.clock.now()],
    );
  }

  private async userOf(customer: string | { id: string } | null): Promise<string | undefined> {
    const id = typeof customer === 'string' ? customer : customer?.id;
    return id ? this.accounts.userOfCustomer(this.dataSource.manager, id) : undefined;
  }
}

function noneIfMissing(error: unknown): undefined {
  if (error instanceof MissingAtStripeError) return undefined;
  throw error;
}
