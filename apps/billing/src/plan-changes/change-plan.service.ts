import type { PlanKey } from '@decola/contracts';
import { rowOf } from '@decola/database';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { DataSource, type EntityManager } from 'typeorm';
import { type BillingAccount, BillingAccounts } from '../accounts/billing-accounts.js';
import { slotsExceedPlan, unknownPrice } from '../catalogue/catalogue.errors.js';
import { findPlanByPrice, findPlanOnSale } from '../catalogue/plan-prices.js';
import type { Plan } from '../catalogue/plans.js';
import {
  authenticationRequired,
  cardDeclined,
  changeInProgress,
  noActiveSubscription,
  paymentPending,
  samePlan,
} from './change-plan.errors.js';
import { StripeClient } from '../stripe/stripe-client.js';
import { CardRefusedError, declineText, MissingAtStripeError, ProviderUnavailableError } from '../stripe/stripe.errors.js';
import { PortalService } from '../portal/portal.service.js';
import { liveStatuses } from '../subscriptions/state.js';
import { listSubscriptions } from '../subscriptions/subscription-rows.js';
import { SubscriptionSync } from '../subscriptions/subscription-sync.js';
import { readTerms } from '../subscriptions/terms.js';

/** One attempt to change the plan; a user has at most one pending. */
interface ChangeIntent {
  id: string;
  toPrice: string;
  /** Seconds since the epoch, as text: bigint. */
  prorationDate: string;
  /** Younger than 30 seconds: its request may still be running. */
  isRecent: boolean;
  /** Younger than ten minutes and between the same prices: its request may be sent again with the same key. */
  isRepeatable: boolean;
}

/** A change that was checked and stored, ready to be sent to Stripe. */
interface PreparedChange {
  intent: ChangeIntent;
  plan: Plan;
  account: BillingAccount;
  subscriptionId: string;
  itemId: string;
  parameters: Stripe.SubscriptionUpdateParams;
}

/** What a change is checked against. */
interface ChangeContext {
  subscription: Stripe.Subscription;
  item: Stripe.SubscriptionItem;
  plan: Plan;
  currentPrice: string | undefined;
  /** Undefined when the current price is not in the catalogue. */
  current: Plan | undefined;
}

/** Money in centavos. */
export interface ChangePreview {
  amount_due_now: number;
  currency: 'brl';
  /** Amount of the next invoice after credit. */
  next_amount: number;
  next_date: string;
  /** To be sent with the change, so that the customer pays the amount shown. Seconds since the epoch. */
  proration_date: number;
}

/** How long a preview's amount stays valid. */
const previewLifeSeconds = 900;

const expand = ['latest_invoice', 'default_payment_method'];

/** Plan changes: an upgrade takes effect and is charged at once; a downgrade takes effect at once, with its credit on the next invoice. */
@Injectable()
export class ChangePlanService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: BillingAccounts,
    private readonly client: StripeClient,
    private readonly sync: SubscriptionSync,
    private readonly portal: PortalService,
    private readonly clock: Clock,
  ) {}

  /**
   * Changes the plan of the person's subscription.
   * @param shownProrationDate `proration_date` of the preview that the person saw.
   * @returns name of the new plan.
   * @throws Refusal of `change-plan.errors.ts` or `catalogue.errors.ts`; ProviderUnavailableError. The plan is unchanged then, except that a
   * request without an answer may still take effect; changing again is safe.
   */
  async change(userId: string, priceId: string, shownProrationDate?: number): Promise<string> {
    const change = await this.accounts.withLock(userId, (manager, account) => this.prepare(manager, account, priceId, shownProrationDate));
    const fetchedAt = this.clock.now();
    try {
      const updated = await this.client.request('subscription', (stripe) =>
        stripe.subscriptions.update(change.subscriptionId, change.parameters, { idempotencyKey: `chg:${change.intent.id}` }),
      );
      await this.storeApplied(change, updated, fetchedAt);
    } catch (error) {
      if (!(error instanceof ProviderUnavailableError)) {
        await this.setIntentStatus(change.intent.id, 'refused');
        throw await this.toRefusal(error, change);
      }
      await this.recoverUnanswered(change, error);
    }
    return change.plan.name;
  }

  /** Fetches the subscription and checks that it may change to this price. @throws Refusal. */
  private async checkChange(manager: EntityManager, account: BillingAccount, priceId: string): Promise<ChangeContext> {
    const plan = await findPlanOnSale(manager, priceId);
    if (!plan) throw unknownPrice();
    const stored = (await listSubscriptions(manager, account.userId)).find(
      ({ status }) => liveStatuses.includes(status) || status === 'incomplete',
    );
    if (!stored) throw noActiveSubscription();
    const subscription = await this.client
      .request('subscription', (stripe) => stripe.subscriptions.retrieve(stored.id, { expand }))
      .catch((error: unknown) => {
        if (error instanceof MissingAtStripeError) throw noActiveSubscription();
        throw error;
      });
    if (['past_due', 'unpaid', 'paused', 'incomplete'].includes(subscription.status)) throw paymentPending();
    if (!liveStatuses.includes(subscription.status)) throw noActiveSubscription();
    const [item] = subscription.items.data;
    if (!item) throw noActiveSubscription();
    const { priceId: currentPrice } = readTerms(subscription);
    if (currentPrice === priceId) throw samePlan();
    const used = await this.accounts.loadUsedSlots(manager, account.userId);
    if (used > plan.maxSlots) throw slotsExceedPlan(used);
    return { subscription, item, plan, currentPrice, current: currentPrice ? await findPlanByPrice(manager, currentPrice) : undefined };
  }

  private async prepare(
    manager: EntityManager,
    account: BillingAccount,
    priceId: string,
    shownProrationDate?: number,
  ): Promise<PreparedChange> {
    const { subscription, item, plan, current, currentPrice } = await this.checkChange(manager, account, priceId);
    const prorationDate = this.prorationDate(item, shownProrationDate);
    const intent = await this.intentFor(manager, account.userId, currentPrice ?? '', priceId, prorationDate);
    return {
      intent,
      plan,
      account,
      subscriptionId: subscription.id,
      itemId: item.id,
      parameters: {
        items: [{ id: item.id, price: priceId }],
        ...updateParametersFor(subscription, current, plan, Number(intent.prorationDate)),
        ...undoCancellation(subscription),
        metadata: { plan_key: plan.key satisfies PlanKey },
        expand,
      },
    };
  }

  /**
   * What a change would cost, as Stripe computes it. Changes nothing.
   * @throws Refusal like `change`.
   */
  async preview(userId: string, priceId: string): Promise<ChangePreview> {
    const { subscription, item, plan, current } = await this.accounts.withLock(userId, (manager, account) =>
      this.checkChange(manager, account, priceId),
    );
    const prorationDate = this.prorationDate(item);
    const rule = updateParametersFor(subscription, current, plan, prorationDate);
    const invoice = await this.client.request('invoice', (stripe) =>
      stripe.invoices.createPreview({
        subscription: subscription.id,
        subscription_details: {
          items: [{ id: item.id, price: priceId }],
          proration_behavior: rule.proration_behavior ?? 'create_prorations',
          ...(rule.proration_date === undefined ? {} : { proration_date: rule.proration_date }),
          ...(rule.trial_end === 'now' ? { trial_end: 'now' as const } : {}),
        },
      }),
    );
    // An upgrade is invoiced now and then renews as before; a downgrade first appears on the next invoice.
    const isNow = rule.payment_behavior === 'error_if_incomplete';
    const startsNewPeriod = rule.trial_end === 'now';
    const nextDate = startsNewPeriod ? Math.max(...invoice.lines.data.map(({ period }) => period.end)) : item.current_period_end;
    return {
      amount_due_now: isNow ? invoice.amount_due : 0,
      currency: 'brl',
      next_amount: isNow ? plan.priceCents : invoice.amount_due,
      next_date: new Date(nextDate * 1000).toISOString(),
      proration_date: prorationDate,
    };
  }

  /** Seconds since the epoch. Uses the date of a recent preview, so that the customer pays the amount shown. */
  private prorationDate(
    { current_period_start: start, current_period_end: end }: Stripe.SubscriptionItem,
    shownProrationDate?: number,
  ): number {
    const now = Math.floor(this.clock.now().getTime() / 1000);
    const isFresh = shownProrationDate !== undefined && shownProrationDate <= now && shownProrationDate > now - previewLifeSeconds;
    return Math.min(Math.max(isFresh ? shownProrationDate : now, start), end);
  }

  /**
   * Allows one change at a time. A young pending intent between the same prices is reused: its request is sent again with the same idempotency
   * key, which is safe. An older one is not reused because it would charge from its old proration date; the subscription, just fetched, shows
   * that it had no effect.
   */
  private async intentFor(manager: EntityManager, userId: string, from: string, to: string, prorationDate: number): Promise<ChangeIntent> {
    const columns = `id, to_price as "toPrice", proration_date as "prorationDate", created_at > now() - interval '30 seconds' as "isRecent",
      created_at > now() - interval '10 minutes' and from_price = $2 and to_price = $3 as "isRepeatable"`;
    const pending = await rowOf<ChangeIntent>(manager, `select ${columns} from change_intents where user_id = $1 and status = 'pending'`, [
      userId,
      from,
      to,
    ]);
    if (pending?.isRecent) throw changeInProgress();
    if (pending?.isRepeatable) return pending;
    if (pending) await manager.query(`update change_intents set status = 'refused' where id = $1`, [pending.id]);
    const intent = await rowOf<ChangeIntent>(
      manager,
      `insert into change_intents (user_id, from_price, to_price, proration_date) values ($1, $2, $3, $4) returning ${columns}`,
      [userId, from, to, prorationDate],
    );
    if (!intent) throw new Error('the change was not stored');
    return intent;
  }

  private async storeApplied({ intent, account }: PreparedChange, subscription: Stripe.Subscription, fetchedAt: Date): Promise<void> {
    await this.accounts.withLock(account.userId, async (manager, locked) => {
      await this.sync.apply(manager, locked, subscription, fetchedAt);
      await manager.query(`update change_intents set status = 'applied' where id = $1`, [intent.id]);
    });
  }

  private async setIntentStatus(intentId: string, status: 'applied' | 'refused'): Promise<void> {
    await this.dataSource.query('update change_intents set status = $2 where id = $1', [intentId, status]);
  }

  /**
   * Without an answer the outcome is unknown; the subscription shows whether the change took effect. After a failure that Stripe repeats for
   * 24 hours the intent is closed, so that the next try sends a new request.
   * @throws the given error unless the change took effect.
   */
  private async recoverUnanswered(change: PreparedChange, failure: ProviderUnavailableError): Promise<void> {
    const fetchedAt = this.clock.now();
    const subscription = await this.client
      .request('subscription', (stripe) => stripe.subscriptions.retrieve(change.subscriptionId, { expand }))
      .catch(() => undefined);
    if (subscription && readTerms(subscription).priceId === change.intent.toPrice)
      return this.storeApplied(change, subscription, fetchedAt);
    if (subscription && failure.isCached) await this.setIntentStatus(change.intent.id, 'refused');
    throw failure;
  }

  private async toRefusal(error: unknown, { account, subscriptionId, itemId, intent }: PreparedChange): Promise<unknown> {
    if (!(error instanceof CardRefusedError)) return error;
    if (!error.needsAuthentication) return cardDeclined(declineText(error));
    const url = await this.portal
      .open(account.userId, {
        type: 'subscription_update_confirm',
        subscription_update_confirm: { subscription: subscriptionId, items: [{ id: itemId, price: intent.toPrice, quantity: 1 }] },
      })
      .catch(() => undefined);
    return authenticationRequired(url);
  }
}

/** Proration and payment parameters of the change. */
function updateParametersFor(
  subscription: Stripe.Subscription,
  current: Plan | undefined,
  next: Plan,
  prorationDate: number,
): Stripe.SubscriptionUpdateParams {
  const isUpgrade = next.maxSlots > (current?.maxSlots ?? 0);
  // Only the smallest plan has a trial: an upgrade ends it and is charged in full now.
  if (isUpgrade && subscription.status === 'trialing')
    return { trial_end: 'now', proration_behavior: 'none', payment_behavior: 'error_if_incomplete' };
  if (isUpgrade) return { proration_behavior: 'always_invoice', payment_behavior: 'error_if_incomplete', proration_date: prorationDate };
  return { proration_behavior: 'create_prorations', ...(subscription.status === 'trialing' ? {} : { proration_date: prorationDate }) };
}

/** A person who changes the plan wants to continue: undoes a scheduled cancellation, in the encoding in which it was set. */
function undoCancellation(subscription: Stripe.Subscription): Stripe.SubscriptionUpdateParams {
  if (subscription.cancel_at_period_end) return { cancel_at_period_end: false };
  return subscription.cancel_at === null ? {} : { cancel_at: '' };
}
