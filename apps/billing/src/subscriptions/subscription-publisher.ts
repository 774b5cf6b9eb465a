import { isDeepStrictEqual } from 'node:util';
import { subscriptionChanged, type SubscriptionChangeCause, type SubscriptionState } from '@decola/contracts';
import { Outbox } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { BillingAccount } from '../accounts/billing-accounts.js';
import { planByKey } from '../catalogue/plans.js';
import { causeOf, neverSubscribed, nextBoundaryOf, stateOf } from './state.js';
import { subscriptionsOf } from './subscription-rows.js';

/** Tells everybody what a user is entitled to, when it changed. */
@Injectable()
export class SubscriptionPublisher {
  constructor(
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** The user's entitlement at this moment, from what is stored. */
  async current(manager: EntityManager, account: BillingAccount): Promise<SubscriptionState> {
    if (account.deletedAt) return neverSubscribed;
    const [subscription] = await subscriptionsOf(manager, account.userId);
    if (!subscription) return neverSubscribed;
    return stateOf(subscription, planByKey(subscription.planKey), this.clock.now(), account.published ?? neverSubscribed);
  }

  /**
   * Publishes `subscription.changed` in the caller's transaction when the state differs from the last published one.
   * @param account locked by the caller.
   * @param always publish the unchanged state too.
   * @returns the state.
   */
  async publish(
    manager: EntityManager,
    account: BillingAccount,
    { cause, always = false }: { cause?: SubscriptionChangeCause; always?: boolean } = {},
  ): Promise<SubscriptionState> {
    const state = await this.current(manager, account);
    const before = account.published ?? neverSubscribed;
    const [subscription] = await subscriptionsOf(manager, account.userId);
    const boundary = subscription && !account.deletedAt ? nextBoundaryOf(subscription, this.clock.now()) : null;
    const changed = !isDeepStrictEqual(state, before);
    if (!changed && !always) {
      await manager.query('update billing_accounts set next_boundary_at = $2 where user_id = $1', [account.userId, boundary]);
      return state;
    }
    const sequence = account.sequence + 1;
    const publishedAt = this.clock.now();
    await manager.query(
      'update billing_accounts set sequence = $2, published = $3, published_at = $4, next_boundary_at = $5 where user_id = $1',
      [account.userId, sequence, JSON.stringify(state), publishedAt, boundary],
    );
    await this.outbox.add(
      manager,
      subscriptionChanged,
      {
        user_id: account.userId,
        sequence,
        cause: changed ? (cause && cause !== 'checked' ? cause : causeOf(before, state)) : (cause ?? 'checked'),
        state,
        previous: account.published ? { subscribed: before.subscribed, plan_key: before.plan_key, max_slots: before.max_slots } : null,
      },
      { subject: account.userId },
    );
    Object.assign(account, { sequence, published: state, publishedAt });
    return state;
  }
}
