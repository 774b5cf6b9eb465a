import { isDeepStrictEqual } from 'node:util';
import type { SubscriptionState } from '@decola/contracts';
import { Clock, Logger } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type BillingAccount, BillingAccounts } from '../accounts/billing-accounts.js';
import { CheckoutService } from '../checkout/checkout.service.js';
import { StripeClient } from '../stripe/stripe-client.js';
import { isOutdated, neverSubscribed } from '../subscriptions/state.js';
import { SubscriptionPublisher } from '../subscriptions/subscription-publisher.js';
import { listSubscriptions } from '../subscriptions/subscription-rows.js';
import { SubscriptionSync } from '../subscriptions/subscription-sync.js';

/** When `subscription.changed` was last published longer ago than this, a check publishes the unchanged state, so that copies stay current. */
const republishAfterMs = 3_600_000;
/** Longest wait for the account's lock, which event processing may hold; after it the stored state is the answer. */
const lockWaitMs = 3_000;

export type SubscriptionCheck = Pick<
  SubscriptionState,
  | 'subscribed'
  | 'plan_name'
  | 'max_slots'
  | 'subscription_end'
  | 'is_trial'
  | 'trial_ends_at'
  | 'is_canceled'
  | 'is_past_due'
  | 'will_renew'
> & { used_slots: number };

/** Answers what a person is entitled to now. */
@Injectable()
export class CheckSubscriptionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: BillingAccounts,
    private readonly checkout: CheckoutService,
    private readonly client: StripeClient,
    private readonly sync: SubscriptionSync,
    private readonly publisher: SubscriptionPublisher,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /**
   * Answers from the database. Fetches from Stripe first only when the database must be out of date: a checkout page is open, a stored date
   * has passed, or the copy is a day old. An outage of Stripe is not an error here.
   */
  async check(userId: string): Promise<SubscriptionCheck> {
    const { manager } = this.dataSource;
    const now = this.clock.now();
    let account = await this.accounts.find(userId);
    if (await this.isOutOfDate(manager, userId)) {
      await this.catchUp(userId).catch((error: unknown) => {
        this.logger.warn({ err: error }, 'Stripe did not answer; the stored state is the answer');
      });
      account = await this.accounts.find(userId);
    }
    const state = account ? await this.publisher.currentState(manager, account) : neverSubscribed;
    const isStale = !account?.publishedAt || now.getTime() - account.publishedAt.getTime() > republishAfterMs;
    const differs = !isDeepStrictEqual(account?.published ?? neverSubscribed, state);
    if ((isStale || differs) && !account?.deletedAt)
      await this.accounts
        .withLock(userId, (tx, locked) => this.publisher.publish(tx, locked, { cause: 'checked', always: isStale }), { waitMs: lockWaitMs })
        .catch((error: unknown) => this.logger.warn({ err: error }, 'the state could not be published at this check'));
    return {
      subscribed: state.subscribed,
      plan_name: state.plan_name,
      max_slots: state.max_slots,
      used_slots: await this.accounts.loadUsedSlots(manager, userId),
      subscription_end: state.subscription_end,
      is_trial: state.is_trial,
      trial_ends_at: state.trial_ends_at,
      is_canceled: state.is_canceled,
      is_past_due: state.is_past_due,
      will_renew: state.will_renew,
    };
  }

  private async isOutOfDate(manager: EntityManager, userId: string): Promise<boolean> {
    if (await this.checkout.findOpenIntent(manager, userId)) return true;
    const [subscription] = await listSubscriptions(manager, userId);
    return subscription !== undefined && isOutdated(subscription, this.clock.now());
  }

  private async catchUp(userId: string): Promise<void> {
    const refresh = async (manager: EntityManager, account: BillingAccount): Promise<void> => {
      await this.completePurchase(manager, account);
      const [subscription] = await listSubscriptions(manager, userId);
      if (subscription && isOutdated(subscription, this.clock.now()))
        await this.sync.refresh(manager, account, subscription.id, { quick: true });
    };
    await this.accounts.withLock(userId, refresh, { waitMs: lockWaitMs });
  }

  private async completePurchase(manager: EntityManager, account: BillingAccount): Promise<void> {
    const intent = await this.checkout.findOpenIntent(manager, account.userId);
    const { sessionId } = intent ?? {};
    if (!sessionId) return;
    const session = await this.client.request('checkout.session', (stripe) => stripe.checkout.sessions.retrieve(sessionId), {
      quick: true,
    });
    if (session.status === 'complete') await this.checkout.complete(manager, account, session, { quick: true });
    if (session.status === 'expired')
      await manager.query(`update checkout_intents set status = 'expired', url = null where stripe_session_id = $1`, [sessionId]);
  }
}
