import { createHash } from 'node:crypto';
import type { PlanKey } from '@decola/contracts';
import { type AuthenticatedCaller, Clock, CONFIG, UnauthenticatedError } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { DataSource, type EntityManager } from 'typeorm';
import { type BillingAccount, BillingAccounts } from '../accounts/billing-accounts.js';
import { mailboxOf, peppered } from '../accounts/trial-hash.js';
import { planOnSale } from '../catalogue/catalogue.js';
import { planByKey } from '../catalogue/plans.js';
import type { BillingConfig } from '../config.js';
import { alreadySubscribed, slotsExceedPlan, unknownPrice } from '../functions.errors.js';
import { StripeClient } from '../stripe/stripe-client.js';
import { MissingAtStripeError, ProviderUnavailableError } from '../stripe/stripe.errors.js';
import { liveStatuses } from '../subscriptions/state.js';
import { SubscriptionSync } from '../subscriptions/subscription-sync.js';
import { subscriptionsOf } from '../subscriptions/subscription-rows.js';

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

/** How long a hosted page may be paid. */
const sessionLifeMs = 3_600_000;
/** A page that ends sooner than this is not handed out again. */
const leastLifeMs = 600_000;

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
   * The address of the page where this person buys the plan of that price. A double click gets one page.
   * @throws Refusal `unknown_price`, `already_subscribed` or `slots_exceed_plan`; ProviderUnavailableError.
   */
  async start(caller: AuthenticatedCaller, priceId: string): Promise<string> {
    const { intent, customerId } = await this.accounts.locked(caller.userId, (manager, account) =>
      this.decide(manager, account, caller, priceId),
    );
    if (intent.url) return intent.url;
    const session = await this.openSession(intent, customerId).catch(async (error: unknown) => {
      if (isAnsweredFailure(error))
        await this.dataSource.query(`update checkout_intents set status = 'superseded' where id = $1 and status = 'open'`, [intent.id]);
      throw error;
    });
    if (!session.url) throw new ProviderUnavailableError('a session without an address');
    await this.dataSource.query(`update checkout_intents set stripe_session_id = $2, url = $3 where id = $1`, [
      intent.id,
      session.id,
      session.url,
    ]);
    return session.url;
  }

  private async decide(
    manager: EntityManager,
    account: BillingAccount,
    caller: AuthenticatedCaller,
    priceId: string,
  ): Promise<{ intent: CheckoutIntent; customerId: string }> {
    // A token may live a few seconds longer than its account.
    if (account.deletedAt) throw new UnauthenticatedError();
    const plan = await planOnSale(manager, priceId);
    if (!plan) throw unknownPrice();
    const known = await this.knownCustomer(account);
    await this.refuseSubscribed(manager, account, known);
    const used = await this.accounts.usedSlots(manager, account.userId);
    if (used > plan.maxSlots) throw slotsExceedPlan(used);
    const customerId = known ?? (await this.makeCustomer(manager, account, account.contactEmail ?? caller.email));

    const emailHash = peppered('email', mailboxOf(caller.email), this.config.TRIAL_PEPPER);
    const trial = plan.trialDays > 0 && (await this.mayTry(manager, account.userId, emailHash));
    const now = this.clock.now();
    const [open] = await manager.query<CheckoutIntent[]>(
      `select ${intentColumns} from checkout_intents where user_id = $1 and status = 'open'`,
      [account.userId],
    );
    if (open && open.priceId === priceId && open.trial === trial && open.expiresAt.getTime() - now.getTime() > leastLifeMs)
      return { intent: open, customerId };
    await this.expireSessions(manager, account, customerId);
    await manager.query(`update checkout_intents set status = 'superseded', url = null where user_id = $1 and status = 'open'`, [
      account.userId,
    ]);
    const expiresAt = new Date(Math.floor((now.getTime() + sessionLifeMs) / 1000) * 1000);
    const [intent] = await manager.query<CheckoutIntent[]>(
      `insert into checkout_intents (user_id, plan_key, stripe_price_id, trial, email_hash, expires_at) values ($1, $2, $3, $4, $5, $6) returning ${intentColumns}`,
      [account.userId, plan.key, priceId, trial, emailHash, expiresAt],
    );
    if (!intent) throw new Error('the intent was not stored');
    return { intent, customerId };
  }

  /** The account's customer, unless Stripe has it no more. */
  private async knownCustomer({ customerId }: BillingAccount): Promise<string | undefined> {
    if (!customerId) return undefined;
    const customer = await this.client
      .ask('customer', (stripe) => stripe.customers.retrieve(customerId))
      .catch((error: unknown) => {
        if (error instanceof MissingAtStripeError) return undefined;
        throw error;
      });
    return customer && customer.deleted !== true ? customerId : undefined;
  }

  /**
   * A person is never looked up by e-mail.
   * @param email what identity told, before what a token of an earlier day still says.
   */
  private async makeCustomer(manager: EntityManager, account: BillingAccount, email: string): Promise<string> {
    const parameters = { email, metadata: { user_id: account.userId }, preferred_locales: ['pt-BR'] };
    const fingerprint = createHash('sha256')
      .update(JSON.stringify([parameters, account.customerId]))
      .digest('hex')
      .slice(0, 24);
    const make = (options?: Stripe.RequestOptions) => this.client.ask('customer', (stripe) => stripe.customers.create(parameters, options));
    const customer = await make({ idempotencyKey: `cus:${account.userId}:${fingerprint}` }).catch((error: unknown) => {
      // At worst Stripe is left with a customer that nobody uses.
      if (isAnsweredFailure(error)) return make();
      throw error;
    });
    await this.accounts.linkCustomer(manager, account.userId, customer.id);
    return customer.id;
  }

  /** Looks in the store and at Stripe. When Stripe cannot be read there is no sale: an outage must not sell a second subscription. */
  private async refuseSubscribed(manager: EntityManager, account: BillingAccount, customerId: string | undefined): Promise<void> {
    const stored = await subscriptionsOf(manager, account.userId);
    const listed = customerId
      ? await this.client.ask('list', (stripe) => stripe.subscriptions.list({ customer: customerId, status: 'all', limit: 20 }))
      : { data: [] };
    for (const { id, status } of listed.data)
      if (status === 'incomplete') await this.client.ask('subscription', (stripe) => stripe.subscriptions.cancel(id));
    const atStripe = new Set(listed.data.map(({ id }) => id));
    const isLive =
      listed.data.some(({ status }) => liveStatuses.includes(status)) ||
      stored.some(({ id, status }) => liveStatuses.includes(status) && !atStripe.has(id));
    if (isLive) throw alreadySubscribed();
  }

  /** One trial, ever, by user and by mailbox; the card is looked at when the subscription appears. The page does not decide. */
  private async mayTry(manager: EntityManager, userId: string, emailHash: string): Promise<boolean> {
    const [found] = await manager.query<{ had: boolean }[]>(
      `select exists (select from trial_grants where user_id = $1 or email_hash = $2) or exists (select from subscriptions where user_id = $1) as had`,
      [userId, emailHash],
    );
    return found?.had === false;
  }

  /** Closes every open page of the customer; one that was paid meanwhile ends the purchase instead. */
  private async expireSessions(manager: EntityManager, account: BillingAccount, customerId: string): Promise<void> {
    const open = await this.client.ask('list', (stripe) =>
      stripe.checkout.sessions.list({ customer: customerId, status: 'open', limit: 100 }),
    );
    for (const { id } of open.data) {
      try {
        await this.client.ask('checkout.session', (stripe) => stripe.checkout.sessions.expire(id));
      } catch (error) {
        const session = await this.client.ask('checkout.session', (stripe) => stripe.checkout.sessions.retrieve(id));
        if (session.status === 'open') throw error;
        if (session.status === 'complete') {
          await this.finish(manager, account, session);
          throw alreadySubscribed();
        }
      }
    }
  }

  /** Everything comes from the intent, so that a repeat is the same request and yields the same session. */
  private openSession(intent: CheckoutIntent, customerId: string): Promise<Stripe.Checkout.Session> {
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
    return this.client.ask('checkout.session', (stripe) =>
      stripe.checkout.sessions.create(parameters, { idempotencyKey: `cs:${intent.id}` }),
    );
  }

  /** A session that Stripe calls complete: its intent is done and its subscription is looked at. @param account locked by the caller. */
  async finish(manager: EntityManager, account: BillingAccount, session: Stripe.Checkout.Session, { quick = false } = {}): Promise<void> {
    await manager.query(`update checkout_intents set status = 'completed', url = null where stripe_session_id = $1 or id::text = $2`, [
      session.id,
      session.metadata?.['intent_id'] ?? '',
    ]);
    const subscriptionId = typeof session.subscription === 'string' ? session.subscription : session.subscription?.id;
    // `unpaid` waits for the asynchronous payment's own event.
    if (subscriptionId && session.payment_status !== 'unpaid') await this.sync.look(manager, account, subscriptionId, { quick });
  }

  /** The page a person may be coming back from: the browser often returns before the webhook. */
  async openIntent(manager: EntityManager, userId: string): Promise<CheckoutIntent | undefined> {
    const [intent] = await manager.query<CheckoutIntent[]>(
      `select ${intentColumns} from checkout_intents where user_id = $1 and status = 'open' and stripe_session_id is not null and created_at > now() - interval '24 hours'`,
      [userId],
    );
    return intent;
  }
}

/** Stripe would answer the same again for a day: the idempotency key is spent, and the next request is another one. */
function isAnsweredFailure(error: unknown): boolean {
  return error instanceof ProviderUnavailableError && error.isAnswer;
}
