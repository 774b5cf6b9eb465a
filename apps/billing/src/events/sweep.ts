import { Clock, Logger, metrics } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import type Stripe from 'stripe';
import { DataSource } from 'typeorm';
import { BillingAccounts } from '../accounts/billing-accounts.js';
import { StripeClient } from '../stripe/stripe-client.js';
import { BillingMisconfiguredError, MissingAtStripeError } from '../stripe/stripe.errors.js';
import { liveStatuses } from '../subscriptions/state.js';
import { findSubscription, type StoredSubscription } from '../subscriptions/subscription-rows.js';
import { SubscriptionSync } from '../subscriptions/subscription-sync.js';

/** Share of differences above which operators are told. */
const alarmingShare = 0.001;
/** Pause between two repairs: at most ten calls a second. */
const pauseMs = 100;
/** How long an event of a moment may be on its way. */
const staleMs = 3_600_000;
/** Of one round; the next goes on with the rest. */
const mostStale = 500;

const differences = new Counter({
  name: 'stripe_differences_total',
  help: 'Subscriptions that were not as Stripe had them, by what became of it',
  labelNames: ['outcome'],
  registers: [metrics],
});

export interface SweepReport {
  compared: number;
  /** Subscriptions that were not as Stripe has them, and are now. */
  repaired: string[];
  /** Subscriptions at Stripe that belong to nobody we know, and ours that Stripe does not know. */
  unknown: string[];
  /** Subscriptions of which Stripe refused something that their repair needs (a permission that is missing); the next sweep tries again. */
  refused: string[];
}

/** Compares everything stored with everything at Stripe, in both directions, and repairs what differs. */
@Injectable()
export class Sweep {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: BillingAccounts,
    private readonly client: StripeClient,
    private readonly sync: SubscriptionSync,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  async run(): Promise<SweepReport> {
    const report: SweepReport = { compared: 0, repaired: [], unknown: [], refused: [] };
    const seen = new Set<string>();
    const began = this.clock.now();
    let after: string | undefined;
    for (;;) {
      const startingAfter = after;
      const page = await this.client.ask('list', (stripe) =>
        stripe.subscriptions.list({ status: 'all', limit: 100, ...(startingAfter ? { starting_after: startingAfter } : {}) }),
      );
      for (const subscription of page.data) {
        seen.add(subscription.id);
        await this.compare(subscription, report);
      }
      after = page.data.at(-1)?.id;
      if (!page.has_more || after === undefined) break;
    }
    // The other direction: what is live here and was not in Stripe's list.
    const live = await this.dataSource.query<{ id: string; userId: string }[]>(
      `select stripe_subscription_id as id, user_id as "userId" from billing_subscriptions where status = any($1) and fetched_at < $2`,
      [liveStatuses, began],
    );
    for (const { id, userId } of live) if (!seen.has(id)) await this.repair(userId, id, report);
    const share = report.compared === 0 ? 0 : report.repaired.length / report.compared;
    if (report.unknown.length > 0 || report.refused.length > 0 || share > alarmingShare)
      this.client.alert('the store differed from Stripe', {
        compared: report.compared,
        repaired: report.repaired.length,
        unknown: report.unknown.length,
        refused: report.refused.length,
      });
    this.logger.log({ compared: report.compared, repaired: report.repaired.length }, 'compared with Stripe');
    return report;
  }

  /**
   * Fetches what is live here although a moment has passed, more than an hour ago, at which it must have changed: the event of that moment
   * was lost. @returns how many.
   */
  async stale(): Promise<number> {
    const latest = new Date(this.clock.now().getTime() - staleMs);
    const rows = await this.dataSource.query<{ id: string; userId: string }[]>(
      `select stripe_subscription_id as id, user_id as "userId" from billing_subscriptions
       where status = any($1) and fetched_at < $2
         and (period_end < $2 or cancel_at < $2 or (status = 'trialing' and trial_end < $2))
       order by fetched_at limit $3`,
      [liveStatuses, latest, mostStale],
    );
    const report: SweepReport = { compared: 0, repaired: [], unknown: [], refused: [] };
    for (const { id, userId } of rows) await this.repair(userId, id, report);
    if (report.repaired.length > 0) this.logger.warn({ fetched: report.repaired.length }, 'subscriptions whose moment had passed');
    return report.repaired.length;
  }

  private async compare(subscription: Stripe.Subscription, report: SweepReport): Promise<void> {
    const { manager } = this.dataSource;
    report.compared += 1;
    const userId = await this.sync.userOf(manager, subscription);
    if (!userId) {
      const isOurs = subscription.metadata['user_id'] !== undefined && !(await this.sync.isOfErased(manager, subscription));
      if (isOurs) {
        report.unknown.push(subscription.id);
        differences.inc({ outcome: 'unknown' });
      }
      return;
    }
    const stored = await findSubscription(manager, subscription.id);
    if (!stored || differs(stored, subscription)) await this.repair(userId, subscription.id, report);
  }

  private async repair(userId: string, subscriptionId: string, report: SweepReport): Promise<void> {
    try {
      await this.accounts.locked(userId, (manager, account) => this.sync.look(manager, account, subscriptionId, { cause: 'reconciled' }));
      report.repaired.push(subscriptionId);
      differences.inc({ outcome: 'repaired' });
    } catch (error) {
      const outcome =
        error instanceof MissingAtStripeError ? 'unknown' : error instanceof BillingMisconfiguredError ? 'refused' : undefined;
      // One that cannot be repaired keeps no other from it.
      if (!outcome) throw error;
      report[outcome].push(subscriptionId);
      differences.inc({ outcome });
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

function differs(stored: StoredSubscription, subscription: Stripe.Subscription): boolean {
  const [item] = subscription.items.data;
  const seconds = (moment: Date | null) => (moment === null ? null : moment.getTime() / 1000);
  const customer = typeof subscription.customer === 'string' ? subscription.customer : subscription.customer.id;
  return (
    stored.status !== subscription.status ||
    stored.priceId !== item?.price.id ||
    stored.customerId !== customer ||
    seconds(stored.cancelAt) !== subscription.cancel_at ||
    stored.cancelAtPeriodEnd !== subscription.cancel_at_period_end ||
    seconds(stored.periodEnd) !== item.current_period_end
  );
}
