import { createHash } from 'node:crypto';
import type { PlanKey } from '@decola/contracts';
import { rowOf } from '@decola/database';
import { type AuthenticatedCaller, Clock, CONFIG, UnauthenticatedError } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { DataSource, type EntityManager } from 'typeorm';
import { type BillingAccount, BillingAccounts } from '../accounts/billing-accounts.js';
import { normalizeMailbox, hashWithPepper } from '../accounts/trial-hash.js';
import { slotsExceedPlan, unknownPrice } from '../catalogue/catalogue.errors.js';
import { findPlanOnSale } from '../catalogue/plan-prices.js';
import { planByKey } from '../catalogue/plans.js';
import type { BillingConfig } from '../config/config.js';
import { alreadySubscribed, checkoutSuperseded } from './checkout.errors.js';
import { StripeClient } from '../stripe/stripe-client.js';
import { findMarkedCustomers } from '../stripe/customers.js';
import { BillingMisconfiguredError, MissingAtStripeError, ProviderUnavailableError } from '../stripe/stripe.errors.js';
import { liveStatuses } from '../subscriptions/state.js';
import { SubscriptionSync } from '../subscriptions/subscription-sync.js';
import { listSubscriptions } from '../subscriptions/subscription-rows.js';

/** One attempt to buy a plan; a user has at most one open. */
export interface CheckoutIntent {
  id: string;
  userId: string;
  planKey: PlanKey;
  priceId: string;
  trial: boolean;
  sessionId: string | null;
  url: string | null;
  expiresAt: Date;
}

const intentColumns = `id, user_id as "userId", plan_key as "planKey", stripe_price_id as "priceId", trial, stripe_session_id as "sessionId", url, expires_at as "expiresAt"`;

/** How long a checkout page can be paid. */
const sessionLifetimeMs = 3_600_000;
/** A page that expires sooner than this is not reused. */
const minRemainingMs = 600_000;

/** Buying a plan on Stripe's hosted page. */
@Injectable()
export class CheckoutService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: BillingAccounts,
    private readonly client: StripeClient,
    private readonly sync: SubscriptionSync,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: BillingConfig,
  ) {}

  /**
   * Opens a checkout page for the plan of this price, or reuses the open one: a double click gets one page.
   * @returns its URL at Stripe.
   * @throws Refusal `unknown_price`, `already_subscribed`, `slots_exceed_plan` or `change_in_progress`; ProviderUnavailableError.
   */
  async start(caller: AuthenticatedCaller, priceId: string): Promise<string> {
    // Commits the link to the customer first: a failure further down must not leave a customer at Stripe that no account knows.
    const customerId = await this.accounts.withLock(caller.userId, (manager, account) =>
      this.ensureCustomer(manager, account, caller, priceId),
    );
    const intent = await this.accounts.withLock(caller.userId, (manager, account) =>
      this.prepareIntent(manager, account, caller, priceId, customerId),
    );
    // Thrown outside of the transaction, which has stored the completed purchase.
    if (intent === 'already paid') throw alreadySubscribed();
    if (intent.url) return intent.url;
    const session = await this.createSession(intent, customerId).catch(async (error: unknown) => {
      if (isCachedFailure(error))
        await this.dataSource.query(`update checkout_intents set status = 'superseded' where id = $1 and status = 'open'`, [intent.id]);
      throw error;
    });
    const { id, url } = session;
    if (!url) throw new ProviderUnavailableError('a session without a URL');
    const stored = await rowOf(
      this.dataSource,
      `update checkout_intents set stripe_session_id = $2, url = $3 where id = $1 and status = 'open' returning id`,
      [intent.id, id, url],
    );
    if (stored) return url;
    // Another page was requested while this one was created: close this one, since both could be paid.
    await this.client
      .request('checkout.session', (stripe) => stripe.checkout.sessions.expire(id))
      .catch((error: unknown) => {
        if (!(error instanceof BillingMisconfiguredError)) throw error; // it is no longer open
      });
    throw checkoutSuperseded();
  }

  /** Finds or creates the customer at Stripe. @throws Refusal when the person may not buy, before a customer is created in vain. */
  private async ensureCustomer(
    manager: EntityManager,
    account: BillingAccount,
    caller: AuthenticatedCaller,
    priceId: string,
  ): Promise<string> {
    // A token stays valid for some seconds after its account was deleted.
    if (account.deletedAt) throw new UnauthenticatedError();
    const plan = await findPlanOnSale(manager, priceId);
    if (!plan) throw unknownPrice();
    const known = await this.findKnownCustomer(account);
    if (known) return known;
    await this.assertNotSubscribed(manager, account, undefined);
    const used = await this.accounts.loadUsedSlots(manager, account.userId);
    if (used > plan.maxSlots) throw slotsExceedPlan(used);
    return this.createCustomer(manager, account, account.contactEmail ?? caller.email);
  }

  /**
   * Checks that the person may buy, decides about the trial, and returns the open intent or a new one.
   * @returns `already paid` when an open page turns out to be paid: that purchase is stored instead.
   */
  private async prepareIntent(
    manager: EntityManager,
    account: BillingAccount,
    caller: AuthenticatedCaller,
    priceId: string,
    customerId: string,
  ): Promise<CheckoutIntent | 'already paid'> {
    if (account.deletedAt) throw new UnauthenticatedError();
    const plan = await findPlanOnSale(manager, priceId);
    if (!plan) throw unknownPrice();
    await this.assertNotSubscribed(manager, account, customerId);
    const used = await this.accounts.loadUsedSlots(manager, account.userId);
    if (used > plan.maxSlots) throw slotsExceedPlan(used);

    const emailHash = hashWithPepper('email', normalizeMailbox(caller.email), this.config.TRIAL_PEPPER);
    const trial = plan.trialDays > 0 && (await this.isTrialAvailable(manager, account.userId, emailHash));
    const now = this.clock.now();
    const open = await rowOf<CheckoutIntent>(
      manager,
      `select ${intentColumns} from checkout_intents where user_id = $1 and status = 'open'`,
      [account.userId],
    );
    if (open && open.priceId === priceId && open.trial === trial && open.expiresAt.getTime() - now.getTime() > minRemainingMs) return open;
    if (await this.expireSessions(manager, account, customerId)) return 'already paid';
    await manager.query(`update checkout_intents set status = 'superseded', url = null where user_id = $1 and status = 'open'`, [
      account.userId,
    ]);
    const expiresAt = new Date(Math.floor((now.getTime() + sessionLifetimeMs) / 1000) * 1000);
    const intent = await rowOf<CheckoutIntent>(
      manager,
      `insert into checkout_intents (user_id, plan_key, stripe_price_id, trial, email_hash, expires_at) values ($1, $2, $3, $4, $5, $6) returning ${intentColumns}`,
      [account.userId, plan.key, priceId, trial, emailHash, expiresAt],
    );
    if (!intent) throw new Error('the intent was not stored');
    return intent;
  }

  /** The customer that the account links to; undefined when there is none or Stripe no longer has it. */
  private async findKnownCustomer({ customerId }: BillingAccount): Promise<string | undefined> {
    if (!customerId) return undefined;
    const customer = await this.client
      .request('customer', (stripe) => stripe.customers.retrieve(customerId))
      .catch((error: unknown) => {
        if (error instanceof MissingAtStripeError) return undefined;
        throw error;
      });
    return customer && customer.deleted !== true ? customerId : undefined;
  }

  /**
   * Creates a customer at Stripe. One that was created before and never linked (the process ended in between) is found by the user id in its
   * metadata and reused; a customer is never matched by e-mail alone.
   * @param email identity's latest address if known, since a token may carry an older one.
   */
  private async createCustomer(manager: EntityManager, account: BillingAccount, email: string): Promise<string> {
    const parameters = { email, metadata: { user_id: account.userId }, preferred_locales: ['pt-BR'] };
    const fingerprint = createHash('sha256')
      .update(JSON.stringify([parameters, account.customerId]))
      .digest('hex')
      .slice(0, 24);
    const create = (options?: Stripe.RequestOptions) =>
      this.client.request('customer', (stripe) => stripe.customers.create(parameters, options));
    const findUnlinked = async () =>
      (await findMarkedCustomers(this.client, account.userId, email)).find((id) => id !== account.customerId);
    const createOnce = async (): Promise<string> => {
      try {
        return (await create({ idempotencyKey: `cus:${account.userId}:${fingerprint}` })).id;
      } catch (error) {
        if (isCachedFailure(error)) return (await findUnlinked()) ?? (await create()).id;
        throw error;
      }
    };
    const customerId = (await findUnlinked()) ?? (await createOnce());
    await this.accounts.linkCustomer(manager, account.userId, customerId);
    return customerId;
  }

  /**
   * Looks in the database and at Stripe, and cancels incomplete subscriptions.
   * @throws Refusal `already_subscribed`; ProviderUnavailableError, because an outage must not sell a second subscription.
   */
  private async assertNotSubscribed(manager: EntityManager, account: BillingAccount, customerId: string | undefined): Promise<void> {
    const stored = await listSubscriptions(manager, account.userId);
    const listed = customerId
      ? await this.client.request('list', (stripe) => stripe.subscriptions.list({ customer: customerId, status: 'all', limit: 20 }))
      : { data: [] };
    for (const { id, status } of listed.data)
      if (status === 'incomplete') await this.client.request('subscription', (stripe) => stripe.subscriptions.cancel(id));
    const atStripe = new Set(listed.data.map(({ id }) => id));
    const isLive =
      listed.data.some(({ status }) => liveStatuses.includes(status)) ||
      stored.some(({ id, status }) => liveStatuses.includes(status) && !atStripe.has(id));
    if (isLive) throw alreadySubscribed();
  }

  /** One trial ever for a user and a mailbox. The card is known only with the subscription: `SubscriptionSync.claimTrial` decides. */
  private async isTrialAvailable(manager: EntityManager, userId: string, emailHash: string): Promise<boolean> {
    const found = await rowOf<{ had: boolean }>(
      manager,
      `select exists (select from trial_grants where user_id = $1 or email_hash = $2) or exists (select from subscriptions where user_id = $1) as had`,
      [userId, emailHash],
    );
    return found?.had === false;
  }

  /** Expires every open checkout page of the customer. @returns true when one was paid meanwhile: its purchase is completed. */
  private async expireSessions(manager: EntityManager, account: BillingAccount, customerId: string): Promise<boolean> {
    const open = await this.client.request('list', (stripe) =>
      stripe.checkout.sessions.list({ customer: customerId, status: 'open', limit: 100 }),
    );
    for (const { id } of open.data) {
      try {
        await this.client.request('checkout.session', (stripe) => stripe.checkout.sessions.expire(id));
      } catch (error) {
        const session = await this.client.request('checkout.session', (stripe) => stripe.checkout.sessions.retrieve(id));
        if (session.status === 'open') throw error;
        if (session.status === 'complete') {
          await this.complete(manager, account, session);
          return true;
        }
      }
    }
    return false;
  }

  /** All parameters come from the intent, so that a retry sends the same request under the same key and gets the same session. */
  private createSession(intent: CheckoutIntent, customerId: string): Promise<Stripe.Checkout.Session> {
    const site = this.config.SITE_URL.replace(/\/$/, '');
    const parameters: Stripe.Checkout.SessionCreateParams = {
      mode: 'subscription',
      customer: customerId,
      client_reference_id: intent.userId,
      locale: 'pt-BR',
      line_items: [{ price: intent.priceId, quantity: 1 }],
      allowed_payment_method_types: ['card'],
      payment_method_collection: 'always',
      success_url: `${site}/adm?success=true`,
      cancel_url: `${site}/adm?canceled=true`,
      billing_address_collection: 'auto',
      tax_id_collection: { enabled: true },
      customer_update: { name: 'auto', address: 'auto' },
      expires_at: Math.floor(intent.expiresAt.getTime() / 1000),
      metadata: { intent_id: intent.id },
      subscription_data: {
        billing_mode: { type: 'flexible' },
        metadata: { user_id: intent.userId, intent_id: intent.id, plan_key: intent.planKey },
        ...(intent.trial
          ? {
              trial_period_days: planByKey(intent.planKey).trialDays,
              trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
            }
          : {}),
      },
    };
    return this.client.request('checkout.session', (stripe) =>
      stripe.checkout.sessions.create(parameters, { idempotencyKey: `cs:${intent.id}` }),
    );
  }

  /**
   * Completes the purchase of a paid session: closes its intent and refreshes its subscription.
   * @param account locked by the caller.
   * @returns the anomaly of the subscription, as `SubscriptionSync.refresh` does.
   */
  async complete(
    manager: EntityManager,
    account: BillingAccount,
    session: Stripe.Checkout.Session,
    { quick = false } = {},
  ): Promise<string | undefined> {
    await manager.query(`update checkout_intents set status = 'completed', url = null where stripe_session_id = $1 or id::text = $2`, [
      session.id,
      session.metadata?.['intent_id'] ?? '',
    ]);
    const subscriptionId = typeof session.subscription === 'string' ? session.subscription : session.subscription?.id;
    // An `unpaid` session waits for the event of its asynchronous payment.
    if (!subscriptionId || session.payment_status === 'unpaid') return undefined;
    return (await this.sync.refresh(manager, account, subscriptionId, { quick })).anomaly;
  }

  /** The checkout page of the last 24 hours that is not known to be paid: the browser often returns before the webhook arrives. */
  findOpenIntent(manager: EntityManager, userId: string): Promise<CheckoutIntent | undefined> {
    return rowOf<CheckoutIntent>(
      manager,
      `select ${intentColumns} from checkout_intents where user_id = $1 and status = 'open' and stripe_session_id is not null and created_at > now() - interval '24 hours'`,
      [userId],
    );
  }
}

/** Whether Stripe would repeat this failure for 24 hours: the idempotency key is used up, and the next try needs a new one. */
function isCachedFailure(error: unknown): boolean {
  return error instanceof ProviderUnavailableError && error.isCached;
}
