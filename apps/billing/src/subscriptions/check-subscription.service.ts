import { isDeepStrictEqual } from 'node:util';
import type { SubscriptionState } from '@decola/contracts';
import { Clock, Logger } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type BillingAccount, BillingAccounts } from '../accounts/billing-accounts.js';
import { CheckoutService } from '../checkout/checkout.service.js';
import { StripeClient } from '../stripe/stripe-client.js';
import { isOutdated, neverSubscribed } from './state.js';
import { SubscriptionPublisher } from './subscription-publisher.js';
import { subscriptionsOf } from './subscription-rows.js';
import { SubscriptionSync } from './subscription-sync.js';

/** A user who got no message for this long is told the unchanged state at a check, so that copies know it was looked at. */
const refreshMs = 3_600_000;
/** A check does not wait for an event that is being worked through: the stored state answers. */
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

/** What a person may use now. */
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
   * Answers from the store. Stripe is asked first only when the store must be behind: a purchase is open, a stored moment has passed, or a
   * day went by. Stripe being down is never an error here.
   */
  async check(userId: string): Promise<SubscriptionCheck> {
    const { manager } = this.dataSource;
    const now = this.clock.now();
    let account = await this.accounts.find(userId);
    if (await this.isBehind(manager, userId)) {
      await this.catchUp(userId).catch((error: unknown) => {
        this.logger.warn({ err: error }, 'Stripe could not be asked; the stored state answers');
      });
      account = await this.accounts.find(userId);
    }
    const state = account ? await this.publisher.current(manager, account) : neverSubscribed;
    const isStale = !account?.publishedAt || now.getTime() - account.publishedAt.getTime() > refreshMs;
    const differs = !isDeepStrictEqual(account?.published ?? neverSubscribed, state);
    if ((isStale || differs) && !account?.deletedAt)
      await this.accounts
        .locked(userId, (tx, locked) => this.publisher.publish(tx, locked, { cause: 'checked', always: isStale }), { waitMs: lockWaitMs })
        .catch((error: unknown) => this.logger.warn({ err: error }, 'the state was not told at this check'));
    return {
      subscribed: state.subscribed,
      plan_name: state.plan_name,
      max_slots: state.max_slots,
      used_slots: await this.accounts.usedSlots(manager, userId),
      subscription_end: state.subscription_end,
      is_trial: state.is_trial,
      trial_ends_at: state.trial_ends_at,
      is_canceled: state.is_canceled,
      is_past_due: state.is_past_due,
      will_renew: state.will_renew,
    };
  }

  private async isBehind(manager: EntityManager, userId: string): Promise<boolean> {
    if (await this.checkout.openIntent(manager, userId)) return true;
    const [subscription] = await subscriptionsOf(manager, userId);
    return subscription !== undefined && isOutdated(subscription, this.clock.now());
  }

  private async catchUp(userId: string): Promise<void> {
    const look = async (manager: EntityManager, account: BillingAccount): Promise<void> => {
      await this.finishPurchase(manager, account);
      const [subscription] = await subscriptionsOf(manager, userId);
      if (subscription && isOutdated(subscription, this.clock.now()))
        await this.sync.look(manager, account, subscription.id, { quick: true });
    };
    await this.accounts.locked(userId, look, { waitMs: lockWaitMs });
  }

  private async finishPurchase(manager: EntityManager, account: BillingAccount): Promise<void> {
    const intent = await this.checkout.openIntent(manager, account.userId);
    const { sessionId } = intent ?? {};
    if (!sessionId) return;
    const session = await this.client.ask('checkout.session', (stripe) => stripe.checkout.sessions.retrieve(sessionId), { quick: true });
    if (session.status === 'complete') await this.checkout.finish(manager, account, session, { quick: true });
    if (session.status === 'expired')
      await manager.query(`update checkout_intents set status = 'expired', url = null where stripe_session_id = $1`, [sessionId]);
  }
}
