import { DatabaseWatch, isOutage, rowOf } from '@decola/database';
import { BROKER_CONNECTION, type BrokerConnection, consumeJobs, type RunningJobs } from '@decola/messaging';
import { Clock, Logger } from '@decola/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type Stripe from 'stripe';
import { DataSource, type EntityManager } from 'typeorm';
import { type BillingAccount, BillingAccounts } from '../accounts/billing-accounts.js';
import { CheckoutService } from '../checkout/checkout.service.js';
import { Notices } from '../subscriptions/notices.js';
import { hasCollectedMoney, Payments } from '../payments/payments.js';
import { parked, toParkedError, ParkedError } from '../stripe/parked.js';
import { StripeClient } from '../stripe/stripe-client.js';
import { MissingAtStripeError } from '../stripe/stripe.errors.js';
import { SubscriptionPublisher } from '../subscriptions/subscription-publisher.js';
import { findSubscription } from '../subscriptions/subscription-rows.js';
import { markedUserId, SubscriptionSync } from '../subscriptions/subscription-sync.js';
import { type Target, targetOf } from './event-targets.js';
import { processStripeEvent, stripeEventsQueue } from './stripe-event.job.js';

interface StoredEvent {
  type: string;
  status: string;
  body: Stripe.Event | null;
}

/** Jobs of one replica at a time. */
const prefetch = 8;

/**
 * Processes stored events of Stripe. An event only names an object, and the object is fetched: events may arrive in any order and any number of
 * times, and the result is always Stripe's present state.
 */
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
    private readonly database: DatabaseWatch,
    @Inject(BROKER_CONNECTION) private readonly connection: BrokerConnection,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs = consumeJobs({
      connection: this.connection,
      name: 'billing stripe events',
      job: processStripeEvent,
      queues: [{ name: stripeEventsQueue, weight: 1 }],
      prefetch: () => prefetch,
      database: this.database,
      handle: ({ event_id: eventId }) => this.process(eventId),
      onError: (error, delivery) =>
        this.logger.error({ err: error, message: delivery?.messageId }, 'an event of Stripe could not be processed'),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.jobs?.stop();
  }

  /** @throws PermanentError when the event is parked, since no retry helps; any other error when it must be retried. */
  async process(eventId: string): Promise<void> {
    const event = await rowOf<StoredEvent>(this.dataSource, 'select type, status, body from stripe_events where event_id = $1', [eventId]);
    if (!event || event.status === 'done' || event.status === 'ignored') return;
    try {
      const target = event.body ? targetOf(event.body) : undefined;
      if (!target || !(await this.handle(eventId, target))) await this.close(this.dataSource.manager, eventId, 'ignored');
    } catch (error) {
      if (isOutage(error)) throw error; // an outage of the database does not count as an attempt
      const reason = toParkedError(error);
      await this.dataSource.query(`update stripe_events set status = $3, attempts = attempts + 1, error = $2 where event_id = $1`, [
        eventId,
        reasonOf(reason ?? error),
        reason ? 'parked' : 'failed',
      ]);
      if (!reason) throw error;
      parked.inc({ kind: 'event' });
      this.client.alert('an event of Stripe is parked: it cannot be processed', {
        event: eventId,
        type: event.type,
        reason: reason.message,
        err: error,
      });
      throw reason;
    }
  }

  /** @returns false when the object belongs to no user of ours. */
  private async handle(eventId: string, target: Target): Promise<boolean> {
    switch (target.kind) {
      case 'subscription':
        return this.handleSubscription(eventId, target.id);
      case 'ending-trial':
        return this.handleSubscription(eventId, target.id, async (manager) => {
          const stored = await findSubscription(manager, target.id);
          if (stored) await this.notices.notifyTrialEnding(manager, stored);
        });
      case 'session':
        return this.handleSession(eventId, target.id);
      case 'invoice':
        return this.handleInvoice(eventId, target.id);
      case 'refund':
        return this.handleRefund(eventId, target.id);
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
        return this.unlinkCustomer(eventId, target.id);
      case 'alert':
        this.client.alert(target.what, { object: target.id });
        await this.close(this.dataSource.manager, eventId, 'done');
        return true;
    }
  }

  private async handleSubscription(
    eventId: string,
    subscriptionId: string,
    afterRefresh: (manager: EntityManager) => Promise<void> = () => Promise.resolve(),
  ): Promise<boolean> {
    const stored = await findSubscription(this.dataSource.manager, subscriptionId);
    const userId = stored?.userId ?? (await this.findOwnerAtStripe(subscriptionId));
    if (!userId) return false;
    const refreshed = this.processUnderLock(eventId, userId, async (manager, account) => {
      const { anomaly } = await this.sync.refresh(manager, account, subscriptionId);
      await afterRefresh(manager);
      return anomaly;
    });
    return (await refreshed.catch(undefinedIfMissing)) ?? false;
  }

  /**
   * Returns the owner of a subscription according to Stripe; undefined when the subscription is gone or belongs to no current user.
   * @throws ParkedError when its metadata names a user who is unknown here or has another customer.
   */
  private async findOwnerAtStripe(subscriptionId: string): Promise<string | undefined> {
    const { manager } = this.dataSource;
    const subscription = await this.client
      .request('subscription', (stripe) => stripe.subscriptions.retrieve(subscriptionId))
      .catch(undefinedIfMissing);
    if (!subscription) return undefined;
    const userId = await this.sync.findOwner(manager, subscription);
    if (userId) return userId;
    const isForeign = !markedUserId(subscription) || (await this.sync.belongsToErasedAccount(manager, subscription));
    return isForeign ? undefined : this.sync.rejectUnknownOwner(subscriptionId);
  }

  private async handleSession(eventId: string, sessionId: string): Promise<boolean> {
    const session = await this.client
      .request('checkout.session', (stripe) => stripe.checkout.sessions.retrieve(sessionId))
      .catch(undefinedIfMissing);
    const userId = session && (await this.findUser(session.customer));
    if (!session || !userId) return false;
    return this.processUnderLock(eventId, userId, (manager, account) =>
      session.status === 'complete' ? this.checkout.complete(manager, account, session) : undefined,
    );
  }

  private async handleInvoice(eventId: string, invoiceId: string): Promise<boolean> {
    const invoice = await this.client.request('invoice', (stripe) => stripe.invoices.retrieve(invoiceId)).catch(undefinedIfMissing);
    const reference = invoice?.parent?.subscription_details?.subscription;
    const subscriptionId = typeof reference === 'string' ? reference : reference?.id;
    const userId = invoice && (await this.findUser(invoice.customer));
    if (!invoice || !userId) return false;
    if (!subscriptionId) {
      if (invoice.parent?.type !== 'subscription_details') return false; // created by hand in the dashboard
      throw new ParkedError(`invoice ${invoiceId} is of a subscription and does not say of which`);
    }
    return this.processUnderLock(eventId, userId, async (manager, account) => {
      const { state, anomaly } = await this.sync.refresh(manager, account, subscriptionId);
      const current = await this.client.request('invoice', (stripe) => stripe.invoices.retrieve(invoiceId));
      if (hasCollectedMoney(current)) {
        await this.recordPayment(manager, userId, subscriptionId, current);
        await this.publisher.publish(manager, account);
      } else await this.notices.notifyPaymentFailed(manager, userId, current, state);
      return anomaly;
    });
  }

  /** Records a payment of a stored subscription. When the subscription is not stored yet, the event that stores it records the payment. */
  private async recordPayment(manager: EntityManager, userId: string, subscriptionId: string, invoice: Stripe.Invoice): Promise<void> {
    const stored = await findSubscription(manager, subscriptionId);
    if (!stored) return;
    await this.payments.recordPayment(manager, userId, subscriptionId, invoice, stored.planKey);
    const isUnrefunded = !(await this.payments.wasRefunded(manager, invoice.id));
    if (isUnrefunded && !stored.everPaid)
      await manager.query('update billing_subscriptions set ever_paid = true where stripe_subscription_id = $1', [subscriptionId]);
  }

  /** Records a full refund. A subscription without an unrefunded payment loses its grace period. Partial refunds change nothing. */
  private async handleRefund(eventId: string, chargeId: string): Promise<boolean> {
    this.client.alert('a payment was refunded', { object: chargeId });
    const charge = await this.client.request('charge', (stripe) => stripe.charges.retrieve(chargeId)).catch(undefinedIfMissing);
    const userId = charge && (await this.findUser(charge.customer));
    const intent = typeof charge?.payment_intent === 'string' ? charge.payment_intent : charge?.payment_intent?.id;
    if (!charge?.refunded || !userId || !intent) return false;
    const paid = await this.client.request('list', (stripe) =>
      stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: intent }, limit: 10 }),
    );
    return this.processUnderLock(eventId, userId, async (manager, account) => {
      for (const { invoice: reference } of paid.data) {
        const invoice = await this.client.request('invoice', (stripe) =>
          stripe.invoices.retrieve(typeof reference === 'string' ? reference : reference.id),
        );
        const subscription = invoice.parent?.subscription_details?.subscription;
        if (!subscription) continue;
        const subscriptionId = typeof subscription === 'string' ? subscription : subscription.id;
        await this.sync.refresh(manager, account, subscriptionId);
        await this.recordPayment(manager, userId, subscriptionId, invoice);
        await this.payments.recordRefund(manager, invoice.id);
        await manager.query('update billing_subscriptions set ever_paid = $2 where stripe_subscription_id = $1', [
          subscriptionId,
          await this.payments.hasUnrefundedPayment(manager, subscriptionId),
        ]);
      }
      await this.publisher.publish(manager, account);
    });
  }

  private async unlinkCustomer(eventId: string, customerId: string): Promise<boolean> {
    const userId = await this.accounts.findUserByCustomer(this.dataSource.manager, customerId);
    if (!userId) return false;
    return this.processUnderLock(eventId, userId, async (manager, account) => {
      await manager.query(
        `update billing_subscriptions set status = 'canceled', ended_at = coalesce(ended_at, $2), fetched_at = $2 where stripe_customer_id = $1 and status <> 'canceled'`,
        [customerId, this.clock.now()],
      );
      await this.accounts.linkCustomer(manager, userId, null);
      await this.publisher.publish(manager, account);
    });
  }

  /**
   * Runs `work` and closes the event in one transaction, under the lock of the user's account.
   * @param work returns the anomaly for which the event is parked although its effect is complete; undefined when there is none.
   */
  private async processUnderLock(
    eventId: string,
    userId: string,
    work: (manager: EntityManager, account: BillingAccount) => Promise<string | undefined | void> | undefined,
  ): Promise<true> {
    await this.accounts.withLock(userId, async (manager, account) => {
      // A concurrent delivery may have processed it first.
      const event = await rowOf<{ status: string }>(manager, 'select status from stripe_events where event_id = $1', [eventId]);
      if (event?.status === 'done' || event?.status === 'ignored') return;
      const anomaly = await work(manager, account);
      if (typeof anomaly === 'string') await this.park(manager, eventId, anomaly);
      else await this.close(manager, eventId, 'done');
    });
    return true;
  }

  /** Parks an event whose effect is stored; the row holds the reason. */
  private async park(manager: EntityManager, eventId: string, reason: string): Promise<void> {
    parked.inc({ kind: 'event' });
    await manager.query(
      `update stripe_events set status = 'parked', attempts = attempts + 1, error = $2, processed_at = $3 where event_id = $1`,
      [eventId, reason.slice(0, 500), this.clock.now()],
    );
  }

  private async close(manager: EntityManager, eventId: string, status: 'done' | 'ignored'): Promise<void> {
    await manager.query(
      `update stripe_events set status = $2, attempts = attempts + 1, error = null, body = null, processed_at = $3 where event_id = $1 and status not in ('done', 'ignored')`,
      [eventId, status, this.clock.now()],
    );
  }

  private async findUser(customer: string | { id: string } | null): Promise<string | undefined> {
    const id = typeof customer === 'string' ? customer : customer?.id;
    return id ? this.accounts.findUserByCustomer(this.dataSource.manager, id) : undefined;
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, 500) || 'unknown';
  return `${error.name}: ${error.message || 'no reason was given'}`.slice(0, 500);
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof MissingAtStripeError) return undefined;
  throw error;
}
