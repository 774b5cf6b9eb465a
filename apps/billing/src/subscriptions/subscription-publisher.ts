import { isDeepStrictEqual } from 'node:util';
import { subscriptionChanged, type SubscriptionChangeCause, type SubscriptionState } from '@decola/contracts';
import { Outbox } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { BillingAccount } from '../accounts/billing-accounts.js';
import { findPlanByPrice } from '../catalogue/plan-prices.js';
import { planByKey } from '../catalogue/plans.js';
import { causeOf, neverSubscribed, nextAccessEndOf, stateOf, withoutAccess } from './state.js';
import { listSubscriptions } from './subscription-rows.js';

/** Computes what a user is entitled to and publishes it when it changes. */
@Injectable()
export class SubscriptionPublisher {
  constructor(
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** The user's entitlement now, from the database alone. */
  async currentState(manager: EntityManager, account: BillingAccount): Promise<SubscriptionState> {
    if (account.deletedAt) return neverSubscribed;
    const [subscription] = await listSubscriptions(manager, account.userId);
    if (!subscription) return neverSubscribed;
    const before = account.published ?? neverSubscribed;
    const state = stateOf(subscription, planByKey(subscription.planKey), this.clock.now(), before);
    if (!state.subscribed || before.subscribed) return state;
    // A price outside the catalogue never starts access. Access that existed before the price changed continues.
    return (await findPlanByPrice(manager, subscription.priceId)) ? state : withoutAccess(state);
  }

  /**
   * Publishes `subscription.changed` in the caller's transaction when the state differs from the last published one, and stores when access
   * ends next (`next_boundary_at`, which AccessExpiryJob reads).
   * @param account locked by the caller.
   * @param always publish an unchanged state too.
   * @returns the state.
   */
  async publish(
    manager: EntityManager,
    account: BillingAccount,
    { cause, always = false }: { cause?: SubscriptionChangeCause; always?: boolean } = {},
  ): Promise<SubscriptionState> {
    const state = await this.currentState(manager, account);
    const before = account.published ?? neverSubscribed;
    const [subscription] = await listSubscriptions(manager, account.userId);
    const accessEnd = subscription && !account.deletedAt ? nextAccessEndOf(subscription, this.clock.now()) : null;
    const changed = !isDeepStrictEqual(state, before);
    if (!changed && !always) {
      await manager.query('update billing_accounts set next_boundary_at = $2 where user_id = $1', [account.userId, accessEnd]);
      return state;
    }
    const sequence = account.sequence + 1;
    const publishedAt = this.clock.now();
    await manager.query(
      'update billing_accounts set sequence = $2, published = $3, published_at = $4, next_boundary_at = $5 where user_id = $1',
      [account.userId, sequence, JSON.stringify(state), publishedAt, accessEnd],
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
