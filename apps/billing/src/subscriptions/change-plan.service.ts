import type { PlanKey } from '@decola/contracts';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { DataSource, type EntityManager } from 'typeorm';
import { type BillingAccount, BillingAccounts } from '../accounts/billing-accounts.js';
import { planEverSold, planOnSale } from '../catalogue/catalogue.js';
import type { Plan } from '../catalogue/plans.js';
import {
  authenticationRequired,
  cardDeclined,
  changeInProgress,
  noActiveSubscription,
  paymentPending,
  samePlan,
  slotsExceedPlan,
  unknownPrice,
} from '../functions.errors.js';
import { StripeClient } from '../stripe/stripe-client.js';
import { CardRefusedError, declineText, MissingAtStripeError, ProviderUnavailableError } from '../stripe/stripe.errors.js';
import { PortalService } from '../portal/portal.service.js';
import { liveStatuses } from './state.js';
import { subscriptionsOf } from './subscription-rows.js';
import { SubscriptionSync } from './subscription-sync.js';

interface ChangeIntent {
  id: string;
  toPrice: string;
  /** Seconds since the epoch, as text: bigint. */
  prorationDate: string;
  isRecent: boolean;
  mayBeRepeated: boolean;
}

interface Decision {
  intent: ChangeIntent;
  plan: Plan;
  account: BillingAccount;
  subscriptionId: string;
  itemId: string;
  parameters: Stripe.SubscriptionUpdateParams;
}

interface Examined {
  subscription: Stripe.Subscription;
  item: Stripe.SubscriptionItem;
  plan: Plan;
  /** Undefined when the current price is none of ours. */
  current: Plan | undefined;
}

/** Money in centavos. */
export interface ChangePreview {
  amount_due_now: number;
  currency: 'brl';
  /** The next invoice, less credit. */
  next_amount: number;
  next_date: string;
  /** Given back with the change, it fixes the amount that was shown. Seconds since the epoch. */
  proration_date: number;
}

/** How long an amount that was shown holds. */
const previewLifeSeconds = 900;

const expand = ['latest_invoice', 'default_payment_method'];

/** Changing between plans: up at once and paid at once, down at once with the credit on the next invoice. */
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
   * @param asShownAt `proration_date` of the preview that the person saw.
   * @returns name of the new plan.
   * @throws Refusal as `functions.errors.ts` lists them; ProviderUnavailableError. After each of
   * them the plan is what it was, except that an unanswered call may still take effect: asking again is safe.
   */
  async change(userId: string, priceId: string, asShownAt?: number): Promise<string> {
    const decision = await this.accounts.locked(userId, (manager, account) => this.decide(manager, account, priceId, asShownAt));
    const fetchedAt = this.clock.now();
    try {
      const updated = await this.client.ask('subscription', (stripe) =>
        stripe.subscriptions.update(decision.subscriptionId, decision.parameters, { idempotencyKey: `chg:${decision.intent.id}` }),
      );
      await this.applied(decision, updated, fetchedAt);
    } catch (error) {
      if (!(error instanceof ProviderUnavailableError)) {
        await this.settle(decision.intent.id, 'refused');
        throw await this.refusalOf(error, decision);
      }
      await this.lookAgain(decision, error);
    }
    return decision.plan.name;
  }

  /** What the change would be, refused as the change itself would be. */
  private async examine(manager: EntityManager, account: BillingAccount, priceId: string): Promise<Examined> {
    const plan = await planOnSale(manager, priceId);
    if (!plan) throw unknownPrice();
    const stored = (await subscriptionsOf(manager, account.userId)).find(
      ({ status }) => liveStatuses.includes(status) || status === 'incomplete',
    );
    if (!stored) throw noActiveSubscription();
    const subscription = await this.client
      .ask('subscription', (stripe) => stripe.subscriptions.retrieve(stored.id, { expand }))
      .catch((error: unknown) => {
        if (error instanceof MissingAtStripeError) throw noActiveSubscription();
        throw error;
      });
    if (['past_due', 'unpaid', 'paused', 'incomplete'].includes(subscription.status)) throw paymentPending();
    if (!liveStatuses.includes(subscription.status)) throw noActiveSubscription();
    const [item] = subscription.items.data;
    if (!item) throw noActiveSubscription();
    if (item.price.id === priceId) throw samePlan();
    const used = await this.accounts.usedSlots(manager, account.userId);
    if (used > plan.maxSlots) throw slotsExceedPlan(used);
    return { subscription, item, plan, current: await planEverSold(manager, item.price.id) };
  }

  private async decide(manager: EntityManager, account: BillingAccount, priceId: string, asShownAt?: number): Promise<Decision> {
    const { subscription, item, plan, current } = await this.examine(manager, account, priceId);
    const prorationDate = this.prorationDate(item, asShownAt);
    const intent = await this.intentFor(manager, account.userId, item.price.id, priceId, prorationDate);
    return {
      intent,
      plan,
      account,
      subscriptionId: subscription.id,
      itemId: item.id,
      parameters: {
        items: [{ id: item.id, price: priceId }],
        ...ruleFor(subscription, current, plan, Number(intent.prorationDate)),
        ...undoOf(subscription),
        metadata: { plan_key: plan.key satisfies PlanKey },
        expand,
      },
    };
  }

  /**
   * What a change would cost, by Stripe's own reckoning. Changes nothing.
   * @throws the refusals of `change`.
   */
  async preview(userId: string, priceId: string): Promise<ChangePreview> {
    const { subscription, item, plan, current } = await this.accounts.locked(userId, (manager, account) =>
      this.examine(manager, account, priceId),
    );
    const prorationDate = this.prorationDate(item);
    const rule = ruleFor(subscription, current, plan, prorationDate);
    const invoice = await this.client.ask('invoice', (stripe) =>
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
    // An upgrade is an invoice of its own now, and then renews as ever; a downgrade shows first on the next invoice.
    const isNow = rule.payment_behavior === 'error_if_incomplete';
    const startsAnew = rule.trial_end === 'now';
    const nextDate = startsAnew ? Math.max(...invoice.lines.data.map(({ period }) => period.end)) : item.current_period_end;
    return {
      amount_due_now: isNow ? invoice.amount_due : 0,
      currency: 'brl',
      next_amount: isNow ? plan.priceCents : invoice.amount_due,
      next_date: new Date(nextDate * 1000).toISOString(),
      proration_date: prorationDate,
    };
  }

  /** Seconds since the epoch. A moment that was shown to the person holds for a while, so that they pay what they were shown. */
  private prorationDate({ current_period_start: start, current_period_end: end }: Stripe.SubscriptionItem, asShownAt?: number): number {
    const now = Math.floor(this.clock.now().getTime() / 1000);
    const isFresh = asShownAt !== undefined && asShownAt <= now && asShownAt > now - previewLifeSeconds;
    return Math.min(Math.max(isFresh ? asShownAt : now, start), end);
  }

  /**
   * One change at a time. An unanswered one of the same prices is asked again with its own key, which makes the repeat safe; only while it is
   * young, for it charges from the moment at which it was first asked. An older one is not on its way any more: the subscription, just
   * fetched, says that it took no effect.
   */
  private async intentFor(manager: EntityManager, userId: string, from: string, to: string, prorationDate: number): Promise<ChangeIntent> {
    const columns = `id, to_price as "toPrice", proration_date as "prorationDate", created_at > now() - interval '30 seconds' as "isRecent",
      created_at > now() - interval '10 minutes' and from_price = $2 and to_price = $3 as "mayBeRepeated"`;
    const [pending] = await manager.query<ChangeIntent[]>(
      `select ${columns} from change_intents where user_id = $1 and status = 'pending'`,
      [userId, from, to],
    );
    if (pending?.isRecent) throw changeInProgress();
    if (pending?.mayBeRepeated) return pending;
    if (pending) await manager.query(`update change_intents set status = 'refused' where id = $1`, [pending.id]);
    const [intent] = await manager.query<ChangeIntent[]>(
      `insert into change_intents (user_id, from_price, to_price, proration_date) values ($1, $2, $3, $4) returning ${columns}`,
      [userId, from, to, prorationDate],
    );
    if (!intent) throw new Error('the change was not stored');
    return intent;
  }

  private async applied({ intent, account }: Decision, subscription: Stripe.Subscription, fetchedAt: Date): Promise<void> {
    await this.accounts.locked(account.userId, async (manager, locked) => {
      await this.sync.apply(manager, locked, subscription, fetchedAt);
      await manager.query(`update change_intents set status = 'applied' where id = $1`, [intent.id]);
    });
  }

  private async settle(intentId: string, status: 'applied' | 'refused'): Promise<void> {
    await this.dataSource.query('update change_intents set status = $2 where id = $1', [intentId, status]);
  }

  /**
   * No answer is unknown, not failed: the subscription itself says which. A failure that Stripe answered and that took no effect is over, so
   * that the next try is a change of its own.
   * @throws the given error unless the change took effect.
   */
  private async lookAgain(decision: Decision, failure: ProviderUnavailableError): Promise<void> {
    const fetchedAt = this.clock.now();
    const subscription = await this.client
      .ask('subscription', (stripe) => stripe.subscriptions.retrieve(decision.subscriptionId, { expand }))
      .catch(() => undefined);
    if (subscription?.items.data[0]?.price.id === decision.intent.toPrice) return this.applied(decision, subscription, fetchedAt);
    if (subscription && failure.isAnswer) await this.settle(decision.intent.id, 'refused');
    throw failure;
  }

  private async refusalOf(error: unknown, { account, subscriptionId, itemId, intent }: Decision): Promise<unknown> {
    if (!(error instanceof CardRefusedError)) return error;
    if (!error.wantsAuthentication) return cardDeclined(declineText(error));
    const url = await this.portal
      .open(account.userId, {
        type: 'subscription_update_confirm',
        subscription_update_confirm: { subscription: subscriptionId, items: [{ id: itemId, price: intent.toPrice, quantity: 1 }] },
      })
      .catch(() => undefined);
    return authenticationRequired(url);
  }
}

function ruleFor(
  subscription: Stripe.Subscription,
  current: Plan | undefined,
  next: Plan,
  prorationDate: number,
): Stripe.SubscriptionUpdateParams {
  const isUpgrade = next.maxSlots > (current?.maxSlots ?? 0);
  // The trial belongs to the smallest plan: an upgrade ends it, full price now.
  if (isUpgrade && subscription.status === 'trialing')
    return { trial_end: 'now', proration_behavior: 'none', payment_behavior: 'error_if_incomplete' };
  if (isUpgrade) return { proration_behavior: 'always_invoice', payment_behavior: 'error_if_incomplete', proration_date: prorationDate };
  return { proration_behavior: 'create_prorations', ...(subscription.status === 'trialing' ? {} : { proration_date: prorationDate }) };
}

/** Who changes the plan chose to go on: a scheduled cancellation is withdrawn, in the encoding in which it was set. */
function undoOf(subscription: Stripe.Subscription): Stripe.SubscriptionUpdateParams {
  if (subscription.cancel_at_period_end) return { cancel_at_period_end: false };
  return subscription.cancel_at === null ? {} : { cancel_at: '' };
}
