import { Clock, CONFIG, PermanentError } from '@decola/service-kit';
import type { SubscriptionChangeCause, SubscriptionState } from '@decola/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import type { EntityManager } from 'typeorm';
import { type BillingAccount, BillingAccounts } from '../accounts/billing-accounts.js';
import { peppered } from '../accounts/trial-hash.js';
import { planEverSold } from '../catalogue/catalogue.js';
import type { BillingConfig } from '../config.js';
import { giveBack } from '../payments/giving-back.js';
import { broughtMoney, Payments } from '../payments/payments.js';
import { StripeClient } from '../stripe/stripe-client.js';
import { BillingMisconfiguredError } from '../stripe/stripe.errors.js';
import { liveStatuses } from './state.js';
import { SubscriptionPublisher } from './subscription-publisher.js';
import { findSubscription, type StoredSubscription, storeSubscription, subscriptionsOf } from './subscription-rows.js';

const seconds = (value: number | null | undefined): Date | null => (value === null || value === undefined ? null : new Date(value * 1000));
const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

const expand = ['latest_invoice', 'default_payment_method'];

/**
 * Keeps the store equal to Stripe: an event, a check or a redirect only says where to look; what is so is fetched. Everything runs
 * under the lock of the user's account, and looking twice changes nothing.
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

  /** Fetches one subscription, stores it and publishes what it changes. @param account locked by the caller. */
  async look(
    manager: EntityManager,
    account: BillingAccount,
    subscriptionId: string,
    { cause, quick = false }: { cause?: SubscriptionChangeCause; quick?: boolean } = {},
  ): Promise<SubscriptionState> {
    const fetchedAt = this.clock.now();
    const subscription = await this.client.ask('subscription', (stripe) => stripe.subscriptions.retrieve(subscriptionId, { expand }), {
      quick,
    });
    return this.apply(manager, account, subscription, fetchedAt, cause);
  }

  /** The user of a subscription: by its customer, else by our own mark on it. Never by e-mail. */
  async userOf(manager: EntityManager, subscription: Stripe.Subscription): Promise<string | undefined> {
    const customerId = idOf(subscription.customer) ?? '';
    const known = await this.accounts.userOfCustomer(manager, customerId);
    if (known) return known;
    const marked = subscription.metadata['user_id'];
    if (!marked) return undefined;
    const [row] = await manager.query<{ stripe_customer_id: string | null }[]>(
      'select stripe_customer_id from billing_accounts where user_id::text = $1 and deleted_at is null',
      [marked],
    );
    return row && row.stripe_customer_id === null ? marked : undefined;
  }

  /** Whether a subscription is marked as that of a person whose account is gone. */
  async isOfErased(manager: EntityManager, subscription: Stripe.Subscription): Promise<boolean> {
    const rows = await manager.query<unknown[]>('select 1 from billing_accounts where user_id::text = $1 and deleted_at is not null', [
      subscription.metadata['user_id'] ?? '',
    ]);
    return rows.length > 0;
  }

  /** Stores a subscription as Stripe just gave it. @param fetchedAt when the fetch began. */
  async apply(
    manager: EntityManager,
    account: BillingAccount,
    subscription: Stripe.Subscription,
    fetchedAt: Date,
    cause?: SubscriptionChangeCause,
  ): Promise<SubscriptionState> {
    if (account.deletedAt) return this.publisher.current(manager, account);
    const [item, ...others] = subscription.items.data;
    const plan = item && others.length === 0 ? await planEverSold(manager, item.price.id) : undefined;
    if (!item || !plan) {
      this.client.alert('a subscription has not exactly one item of a known price; it is left as it was', {
        subscription: subscription.id,
      });
      return this.publisher.publish(manager, account, { cause });
    }
    const before = await findSubscription(manager, subscription.id);
    const customerId = idOf(subscription.customer) ?? '';
    if (account.customerId === null) await this.accounts.linkCustomer(manager, account.userId, customerId);

    if (!before && subscription.status === 'trialing' && !(await this.grantTrial(manager, account, subscription))) {
      const refused = await this.client.ask('subscription', (stripe) =>
        stripe.subscriptions.cancel(subscription.id, { invoice_now: false, prorate: false, expand }),
      );
      return this.store(manager, account, refused, item, plan.key, before, this.clock.now(), 'trial_refused');
    }
    if (liveStatuses.includes(subscription.status)) {
      const rival = (await subscriptionsOf(manager, account.userId)).find(
        ({ id, status }) => id !== subscription.id && liveStatuses.includes(status),
      );
      if (rival) {
        const current = await this.settleRivals(manager, account, rival, subscription);
        return this.store(manager, account, current, item, plan.key, before, this.clock.now(), cause);
      }
    }
    return this.store(manager, account, subscription, item, plan.key, before, fetchedAt, cause);
  }

  private async store(
    manager: EntityManager,
    account: BillingAccount,
    subscription: Stripe.Subscription,
    item: Stripe.SubscriptionItem,
    planKey: StoredSubscription['planKey'],
    before: StoredSubscription | undefined,
    fetchedAt: Date,
    cause?: SubscriptionChangeCause,
  ): Promise<SubscriptionState> {
    const invoice = typeof subscription.latest_invoice === 'object' ? subscription.latest_invoice : null;
    if (invoice && broughtMoney(invoice)) await this.payments.received(manager, account.userId, subscription.id, invoice, planKey);
    const paid =
      before?.everPaid === true ||
      (invoice !== null && broughtMoney(invoice) && !(await this.payments.wasRefunded(manager, invoice.id))) ||
      // Looked up only where the grace depends on it and nothing stored says so.
      (subscription.status === 'past_due' && (await this.payments.anyKept(manager, subscription.id)));
    const paused = subscription.status_details?.paused;
    const pausedFor = paused?.subscription as { type?: string } | undefined;
    await storeSubscription(manager, {
      id: subscription.id,
      userId: account.userId,
      customerId: idOf(subscription.customer) ?? '',
      planKey,
      priceId: item.price.id,
      status: subscription.status,
      startedAt: seconds(subscription.start_date) ?? fetchedAt,
      periodStart: seconds(item.current_period_start) ?? fetchedAt,
      periodEnd: seconds(item.current_period_end) ?? fetchedAt,
      trialEnd: seconds(subscription.trial_end),
      cancelAt: seconds(subscription.cancel_at),
      cancelAtPeriodEnd: subscription.cancel_at_period_end,
      canceledAt: seconds(subscription.canceled_at),
      endedAt: seconds(subscription.ended_at),
      unpaidSince: await this.unpaidSince(subscription),
      pausedSince: seconds(paused?.transitioned_at),
      pausedForPayment: pausedFor?.type === 'first_payment_failure' || pausedFor?.type === 'final_payment_failure',
      collectionPaused: subscription.pause_collection !== null,
      collectionMethod: subscription.collection_method,
      endsBySchedule: await this.endsBySchedule(subscription),
      everPaid: paid,
      latestInvoiceId: invoice?.id ?? idOf(subscription.latest_invoice),
      fetchedAt,
    });
    return this.publisher.publish(manager, account, { cause });
  }

  private async unpaidSince(subscription: Stripe.Subscription): Promise<Date | null> {
    if (subscription.status !== 'past_due' && subscription.status !== 'unpaid') return null;
    const open = await this.client.ask('list', (stripe) =>
      stripe.invoices.list({ subscription: subscription.id, status: 'open', limit: 100 }),
    );
    return seconds(open.data.at(-1)?.created); // newest first
  }

  private async endsBySchedule(subscription: Stripe.Subscription): Promise<boolean> {
    const id = idOf(subscription.schedule);
    if (!id) return false;
    const schedule = await this.client.ask('subscription_schedule', (stripe) => stripe.subscriptionSchedules.retrieve(id));
    return schedule.end_behavior === 'cancel';
  }

  /** One trial per person and per card. The insert decides a race. @returns false when this card had one elsewhere. */
  private async grantTrial(manager: EntityManager, account: BillingAccount, subscription: Stripe.Subscription): Promise<boolean> {
    const method = typeof subscription.default_payment_method === 'object' ? subscription.default_payment_method : null;
    const fingerprint = method?.card?.fingerprint;
    const cardHash = fingerprint ? peppered('card', fingerprint, this.config.TRIAL_PEPPER) : null;
    if (cardHash) {
      // Two people with one card at the same moment: the second waits for the first.
      await manager.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [cardHash]);
      const used = await manager.query<unknown[]>('select 1 from trial_grants where card_hash = $1 and user_id <> $2 limit 1', [
        cardHash,
        account.userId,
      ]);
      if (used.length > 0) return false;
    }
    const intentId = subscription.metadata['intent_id'];
    const [intent] = intentId
      ? await manager.query<{ email_hash: string }[]>('select email_hash from checkout_intents where id::text = $1', [intentId])
      : [];
    await manager.query(
      `insert into trial_grants (user_id, email_hash, card_hash, granted_at) values ($1, $2, $3, $4)
       on conflict (user_id) do update set card_hash = coalesce(trial_grants.card_hash, excluded.card_hash)`,
      [account.userId, intent?.email_hash ?? null, cardHash, this.clock.now()],
    );
    return true;
  }

  /**
   * Two live subscriptions of one user (two tabs, two payments): the older stays, what the younger charged is given back and it is cancelled
   * at once.
   * @returns `fresh` as it is now.
   */
  private async settleRivals(
    manager: EntityManager,
    account: BillingAccount,
    rival: StoredSubscription,
    fresh: Stripe.Subscription,
  ): Promise<Stripe.Subscription> {
    const stored = await this.client.ask('subscription', (stripe) => stripe.subscriptions.retrieve(rival.id, { expand }));
    if (!liveStatuses.includes(stored.status)) {
      const [item] = stored.items.data;
      if (item) await this.store(manager, account, stored, item, rival.planKey, rival, this.clock.now());
      return fresh;
    }
    const isFreshYounger = fresh.created > stored.created || (fresh.created === stored.created && fresh.id > stored.id);
    const younger = isFreshYounger ? fresh : stored;
    const facts = { user: account.userId, subscription: younger.id };
    const { cancelled, disputed } = await this.giveBackAndCancel(younger).catch((error: unknown) => {
      if (error instanceof BillingMisconfiguredError)
        this.client.alert('Stripe refuses to give a second live subscription back; it is tried again', { ...facts, reason: error.reason });
      throw error;
    });
    if (disputed.length > 0)
      this.client.alert('a second live subscription was cancelled; of its payments that are disputed Stripe gives nothing back', {
        ...facts,
        disputed,
      });
    else this.client.alert('a second live subscription was given back and cancelled', facts);
    if (isFreshYounger) return cancelled;
    const [item] = cancelled.items.data;
    if (item) await this.store(manager, account, cancelled, item, rival.planKey, rival, this.clock.now());
    return fresh;
  }

  /** The money first: whoever looks again after a failure sees by the subscription, live as it still is, that something is left to do. */
  private async giveBackAndCancel({ id }: Stripe.Subscription): Promise<{ cancelled: Stripe.Subscription; disputed: string[] }> {
    const disputed: string[] = [];
    const paid = await this.client.ask('list', (stripe) => stripe.invoices.list({ subscription: id, status: 'paid', limit: 100 }));
    for (const invoice of paid.data.filter(broughtMoney))
      disputed.push(...(await giveBack((expected, call) => this.client.ask(expected, call), invoice.id, 'duplicate')).disputed);
    const cancelled = await this.client.ask('subscription', (stripe) =>
      stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false, expand }),
    );
    return { cancelled, disputed };
  }

  /** For a subscription that names nobody of ours. */
  park(subscriptionId: string): never {
    this.client.alert('a subscription belongs to no known user', { subscription: subscriptionId });
    throw new PermanentError(`subscription ${subscriptionId} belongs to no known user`);
  }
}
