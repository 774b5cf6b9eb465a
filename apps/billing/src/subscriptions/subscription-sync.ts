import type { PlanKey, SubscriptionChangeCause, SubscriptionState } from '@decola/contracts';
import { rowOf, rowsOf } from '@decola/database';
import { Clock, CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import type { EntityManager } from 'typeorm';
import { type BillingAccount, BillingAccounts } from '../accounts/billing-accounts.js';
import { hashWithPepper } from '../accounts/trial-hash.js';
import { findPlanByPrice } from '../catalogue/plan-prices.js';
import type { BillingConfig } from '../config/config.js';
import { refundInvoice } from '../payments/refunds.js';
import { hasCollectedMoney, Payments } from '../payments/payments.js';
import { parked, ParkedError } from '../stripe/parked.js';
import { StripeClient } from '../stripe/stripe-client.js';
import { BillingMisconfiguredError } from '../stripe/stripe.errors.js';
import { knownStatuses, liveStatuses } from './state.js';
import { SubscriptionPublisher } from './subscription-publisher.js';
import { findSubscription, type StoredSubscription, storeSubscription, listSubscriptions } from './subscription-rows.js';
import { toDate, readTerms } from './terms.js';

const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

const expand = ['latest_invoice', 'default_payment_method'];

export interface SyncResult {
  /** What the user is entitled to now. */
  state: SubscriptionState;
  /** Why an operator must look at the subscription, although everything that could be read of it is stored. */
  anomaly?: string;
}

/**
 * Copies subscriptions from Stripe into the database. Events, checks and redirects only name a subscription; its state is always fetched.
 * Everything runs under the lock of the user's account and is idempotent.
 */
@Injectable()
export class SubscriptionSync {
  constructor(
    private readonly client: StripeClient,
    private readonly publisher: SubscriptionPublisher,
    private readonly accounts: BillingAccounts,
    private readonly payments: Payments,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: BillingConfig,
  ) {}

  /**
   * Fetches one subscription, stores it and publishes the entitlement if it changed.
   * @param account locked by the caller.
   * @throws ParkedError when it cannot be read; MissingAtStripeError and the other errors of `StripeClient.request`.
   */
  async refresh(
    manager: EntityManager,
    account: BillingAccount,
    subscriptionId: string,
    { cause, quick = false }: { cause?: SubscriptionChangeCause; quick?: boolean } = {},
  ): Promise<SyncResult> {
    const fetchedAt = this.clock.now();
    const subscription = await this.client.request('subscription', (stripe) => stripe.subscriptions.retrieve(subscriptionId, { expand }), {
      quick,
    });
    return this.apply(manager, account, subscription, fetchedAt, cause);
  }

  /** The user who owns a subscription: by its customer, else by the user id in its metadata; never by e-mail. */
  async findOwner(manager: EntityManager, subscription: Stripe.Subscription): Promise<string | undefined> {
    const customerId = idOf(subscription.customer) ?? '';
    const known = await this.accounts.findUserByCustomer(manager, customerId);
    if (known) return known;
    const marked = markedUserId(subscription);
    if (!marked) return undefined;
    const row = await rowOf<{ stripe_customer_id: string | null }>(
      manager,
      'select stripe_customer_id from billing_accounts where user_id::text = $1 and deleted_at is null',
      [marked],
    );
    return row && row.stripe_customer_id === null ? marked : undefined;
  }

  /** Whether a subscription's metadata names a user whose account was deleted. */
  async belongsToErasedAccount(manager: EntityManager, subscription: Stripe.Subscription): Promise<boolean> {
    const row = await rowOf(manager, 'select 1 from billing_accounts where user_id::text = $1 and deleted_at is not null', [
      markedUserId(subscription) ?? '',
    ]);
    return row !== undefined;
  }

  /**
   * Stores a subscription that was just fetched. Status, end and cancellation are stored whatever the price is. A price outside the catalogue
   * leaves the plan unchanged: it neither starts access (`SubscriptionPublisher.currentState`) nor ends it.
   * @param fetchedAt when the fetch began.
   * @throws ParkedError.
   */
  async apply(
    manager: EntityManager,
    account: BillingAccount,
    subscription: Stripe.Subscription,
    fetchedAt: Date,
    cause?: SubscriptionChangeCause,
  ): Promise<SyncResult> {
    if (account.deletedAt) return { state: await this.publisher.currentState(manager, account) };
    if (!knownStatuses.includes(subscription.status))
      throw new ParkedError(`subscription ${subscription.id} has the unknown status ${JSON.stringify(subscription.status)}`);
    const { priceId } = readTerms(subscription);
    const plan = priceId === undefined ? undefined : await findPlanByPrice(manager, priceId);
    const before = await findSubscription(manager, subscription.id);
    const planKey = plan?.key ?? before?.planKey;
    const anomaly = plan ? undefined : this.reportAnomaly(subscription, priceId);
    // A subscription that never had a plan of ours: nothing to store.
    if (planKey === undefined) return { state: await this.publisher.publish(manager, account, { cause }), ...(anomaly ? { anomaly } : {}) };
    const state = await this.applyWithPlan(manager, account, subscription, planKey, before, fetchedAt, cause);
    return { state, ...(anomaly ? { anomaly } : {}) };
  }

  private reportAnomaly({ id }: Stripe.Subscription, priceId: string | undefined): string {
    const anomaly =
      priceId === undefined
        ? `subscription ${id} has not exactly one item with a price`
        : `subscription ${id} has the price ${priceId}, which the catalogue does not know`;
    parked.inc({ kind: 'subscription' });
    this.client.alert('a subscription has not exactly one item of a known price; its plan is left as it was', {
      subscription: id,
      reason: anomaly,
    });
    return anomaly;
  }

  private async applyWithPlan(
    manager: EntityManager,
    account: BillingAccount,
    subscription: Stripe.Subscription,
    planKey: PlanKey,
    before: StoredSubscription | undefined,
    fetchedAt: Date,
    cause?: SubscriptionChangeCause,
  ): Promise<SubscriptionState> {
    const customerId = idOf(subscription.customer) ?? '';
    if (account.customerId === null) await this.accounts.linkCustomer(manager, account.userId, customerId);

    // A trial that has ended before it was first seen counts too.
    const isTrialAvailable =
      before !== undefined || toDate(subscription.trial_end) === null || (await this.claimTrial(manager, account, subscription));
    if (!isTrialAvailable && subscription.status === 'trialing') {
      const refused = await this.client.request('subscription', (stripe) =>
        stripe.subscriptions.cancel(subscription.id, { invoice_now: false, prorate: false, expand }),
      );
      return this.store(manager, account, refused, planKey, before, this.clock.now(), 'trial_refused');
    }
    if (liveStatuses.includes(subscription.status)) {
      const other = (await listSubscriptions(manager, account.userId)).find(
        ({ id, status }) => id !== subscription.id && liveStatuses.includes(status),
      );
      if (other) {
        const current = await this.resolveDuplicate(manager, account, other, subscription);
        return this.store(manager, account, current, planKey, before, this.clock.now(), cause);
      }
    }
    return this.store(manager, account, subscription, planKey, before, fetchedAt, cause);
  }

  private async store(
    manager: EntityManager,
    account: BillingAccount,
    subscription: Stripe.Subscription,
    planKey: PlanKey,
    before: StoredSubscription | undefined,
    fetchedAt: Date,
    cause?: SubscriptionChangeCause,
  ): Promise<SubscriptionState> {
    const terms = readTerms(subscription);
    const invoice = typeof subscription.latest_invoice === 'object' ? subscription.latest_invoice : null;
    if (invoice && hasCollectedMoney(invoice))
      await this.payments.recordPayment(manager, account.userId, subscription.id, invoice, planKey);
    const everPaid =
      before?.everPaid === true ||
      (invoice !== null && hasCollectedMoney(invoice) && !(await this.payments.wasRefunded(manager, invoice.id))) ||
      // Asks Stripe only where the grace period depends on it and the database does not know.
      (subscription.status === 'past_due' && (await this.payments.hasUnrefundedPayment(manager, subscription.id)));
    const paused = subscription.status_details?.paused;
    const pausedFor = paused?.subscription as { type?: string } | undefined;
    await storeSubscription(manager, {
      id: subscription.id,
      userId: account.userId,
      customerId: idOf(subscription.customer) ?? '',
      planKey,
      priceId: terms.priceId ?? before?.priceId ?? '',
      status: subscription.status,
      startedAt: toDate(subscription.start_date) ?? fetchedAt,
      periodStart: terms.periodStart ?? before?.periodStart ?? fetchedAt,
      periodEnd: terms.periodEnd ?? before?.periodEnd ?? fetchedAt,
      trialEnd: toDate(subscription.trial_end),
      cancelAt: toDate(subscription.cancel_at),
      cancelAtPeriodEnd: subscription.cancel_at_period_end === true,
      canceledAt: toDate(subscription.canceled_at),
      endedAt: toDate(subscription.ended_at),
      unpaidSince: await this.unpaidSince(subscription),
      pausedSince: toDate(paused?.transitioned_at),
      pausedForPayment: pausedFor?.type === 'first_payment_failure' || pausedFor?.type === 'final_payment_failure',
      collectionPaused: (subscription.pause_collection ?? null) !== null,
      collectionMethod: subscription.collection_method ?? 'charge_automatically',
      endsBySchedule: await this.endsBySchedule(subscription),
      everPaid,
      latestInvoiceId: invoice?.id ?? idOf(subscription.latest_invoice),
      fetchedAt,
    });
    return this.publisher.publish(manager, account, { cause });
  }

  private async unpaidSince(subscription: Stripe.Subscription): Promise<Date | null> {
    if (subscription.status !== 'past_due' && subscription.status !== 'unpaid') return null;
    const open = await this.client.request('list', (stripe) =>
      stripe.invoices.list({ subscription: subscription.id, status: 'open', limit: 100 }),
    );
    return toDate(open.data.at(-1)?.created); // newest first
  }

  private async endsBySchedule(subscription: Stripe.Subscription): Promise<boolean> {
    const id = idOf(subscription.schedule);
    if (!id) return false;
    const schedule = await this.client.request('subscription_schedule', (stripe) => stripe.subscriptionSchedules.retrieve(id));
    return schedule.end_behavior === 'cancel';
  }

  /**
   * Claims the only trial of this user, mailbox and card. Checkout looks for an earlier trial too, but several checkout pages may be open at
   * once, so the decision is made here, when the subscription exists.
   * @returns false when another subscription had the trial.
   */
  private async claimTrial(manager: EntityManager, account: BillingAccount, subscription: Stripe.Subscription): Promise<boolean> {
    const method = typeof subscription.default_payment_method === 'object' ? subscription.default_payment_method : null;
    const fingerprint = method?.card?.fingerprint;
    const cardHash = fingerprint ? hashWithPepper('card', fingerprint, this.config.TRIAL_PEPPER) : null;
    const intentId = subscription.metadata?.['intent_id'];
    const intent = intentId
      ? await rowOf<{ email_hash: string }>(manager, 'select email_hash from checkout_intents where id::text = $1', [intentId])
      : undefined;
    const emailHash = intent?.email_hash ?? null;
    // Serialises users who share a card or a mailbox. The locks are taken in sorted order, which rules out a deadlock.
    for (const hash of [cardHash, emailHash].filter((each) => each !== null).sort())
      await manager.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [hash]);
    const grants = await rowsOf<{ subscriptionId: string | null }>(
      manager,
      `select stripe_subscription_id as "subscriptionId" from trial_grants where user_id = $1 or card_hash = $2 or email_hash = $3`,
      [account.userId, cardHash, emailHash],
    );
    if (grants.length > 0) return grants.every(({ subscriptionId }) => subscriptionId === subscription.id);
    await manager.query(
      'insert into trial_grants (user_id, email_hash, card_hash, granted_at, stripe_subscription_id) values ($1, $2, $3, $4, $5)',
      [account.userId, emailHash, cardHash, this.clock.now(), subscription.id],
    );
    return true;
  }

  /**
   * Resolves two live subscriptions of one user (two tabs, two payments): the older stays; the younger is refunded and canceled at once.
   * @param other the stored one.
   * @param fresh the one that was just fetched.
   * @returns `fresh` in its present state.
   */
  private async resolveDuplicate(
    manager: EntityManager,
    account: BillingAccount,
    other: StoredSubscription,
    fresh: Stripe.Subscription,
  ): Promise<Stripe.Subscription> {
    const stored = await this.client.request('subscription', (stripe) => stripe.subscriptions.retrieve(other.id, { expand }));
    if (!liveStatuses.includes(stored.status)) {
      await this.store(manager, account, stored, other.planKey, other, this.clock.now());
      return fresh;
    }
    const isFreshYounger = fresh.created > stored.created || (fresh.created === stored.created && fresh.id > stored.id);
    const younger = isFreshYounger ? fresh : stored;
    const facts = { user: account.userId, subscription: younger.id };
    const { canceled, disputed } = await this.refundAndCancel(younger).catch((error: unknown) => {
      if (error instanceof BillingMisconfiguredError)
        this.client.alert('Stripe refuses to refund a second live subscription; it is tried again', { ...facts, reason: error.reason });
      throw error;
    });
    if (disputed.length > 0)
      this.client.alert('a second live subscription was canceled; its disputed payments cannot be refunded', {
        ...facts,
        disputed,
      });
    else this.client.alert('a second live subscription was refunded and canceled', facts);
    if (isFreshYounger) return canceled;
    await this.store(manager, account, canceled, other.planKey, other, this.clock.now());
    return fresh;
  }

  /** Refunds first: after a failure in between the subscription is still live, so every retry resolves the duplicate again. */
  private async refundAndCancel({ id }: Stripe.Subscription): Promise<{ canceled: Stripe.Subscription; disputed: string[] }> {
    const disputed: string[] = [];
    const paid = await this.client.request('list', (stripe) => stripe.invoices.list({ subscription: id, status: 'paid', limit: 100 }));
    for (const invoice of paid.data.filter(hasCollectedMoney))
      disputed.push(...(await refundInvoice((expected, call) => this.client.request(expected, call), invoice.id, 'duplicate')).disputed);
    const canceled = await this.client.request('subscription', (stripe) =>
      stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false, expand }),
    );
    return { canceled, disputed };
  }

  /** Reports a subscription whose owner is not a user of ours. @throws ParkedError always. */
  rejectUnknownOwner(subscriptionId: string): never {
    this.client.alert('a subscription belongs to no known user', { subscription: subscriptionId });
    throw new ParkedError(`subscription ${subscriptionId} belongs to no known user`);
  }
}

/** The user id that checkout wrote into a subscription's metadata; undefined for subscriptions created elsewhere. */
export function markedUserId({ metadata }: Stripe.Subscription): string | undefined {
  return (metadata as Stripe.Metadata | null | undefined)?.['user_id'];
}
