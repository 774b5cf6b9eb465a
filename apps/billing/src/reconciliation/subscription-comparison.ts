import { setTimeout as sleep } from 'node:timers/promises';
import { isOutage, rowsOf } from '@decola/database';
import { Clock, Logger, metrics } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import type Stripe from 'stripe';
import { DataSource } from 'typeorm';
import { BillingAccounts } from '../accounts/billing-accounts.js';
import { parked, toParkedError } from '../stripe/parked.js';
import { StripeClient } from '../stripe/stripe-client.js';
import { BillingMisconfiguredError, MissingAtStripeError, ProviderUnavailableError } from '../stripe/stripe.errors.js';
import { liveStatuses } from '../subscriptions/state.js';
import { findSubscription, type StoredSubscription } from '../subscriptions/subscription-rows.js';
import { markedUserId, SubscriptionSync } from '../subscriptions/subscription-sync.js';
import { toDate, readTerms } from '../subscriptions/terms.js';

/** Share of repaired subscriptions above which operators are alerted. */
const alarmingShare = 0.001;
/** Pause after each repair: at most ten requests a second. */
const pauseMs = 100;
/** How late the event of a date may arrive before it counts as lost. */
const staleAfterMs = 3_600_000;
/** After this many failures of Stripe in a row the run stops; the next one continues. */
const maxUnansweredInRow = 5;
/** Subscriptions of one hourly run; the next run takes the rest. */
const staleBatch = 500;

const differences = new Counter({
  name: 'stripe_differences_total',
  help: 'Subscriptions that differed from Stripe, by outcome',
  labelNames: ['outcome'],
  registers: [metrics],
});

export interface ComparisonReport {
  compared: number;
  /** Subscriptions that differed from Stripe and were updated. */
  repaired: string[];
  /** Subscriptions at Stripe whose owner is unknown here, and stored ones that Stripe does not have. */
  unknown: string[];
  /** Subscriptions whose repair Stripe refused (a missing permission of the key); the next run retries. */
  refused: string[];
  /** Subscriptions that an operator must look at: with a price outside the catalogue, or of an unknown shape. */
  parked: { id: string; reason: string }[];
  /** Subscriptions that could not be compared; the next run retries. */
  failed: string[];
}

const emptyReport = (): ComparisonReport => ({ compared: 0, repaired: [], unknown: [], refused: [], parked: [], failed: [] });

/** Compares the stored subscriptions with Stripe's, in both directions, and repairs differences. */
@Injectable()
export class SubscriptionComparison {
  /** Failures of Stripe in a row. */
  private unanswered = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: BillingAccounts,
    private readonly client: StripeClient,
    private readonly sync: SubscriptionSync,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Compares all subscriptions; alerts operators about what could not be repaired. */
  async compareAll(): Promise<ComparisonReport> {
    const report = emptyReport();
    const known = await this.loadKnownPriceIds();
    const seen = new Set<string>();
    const began = this.clock.now();
    let after: string | undefined;
    for (;;) {
      const startingAfter = after;
      const page = await this.client.request('list', (stripe) =>
        stripe.subscriptions.list({ status: 'all', limit: 100, ...(startingAfter ? { starting_after: startingAfter } : {}) }),
      );
      for (const subscription of page.data) {
        if (subscription?.id) seen.add(subscription.id);
        await this.isolate(subscription?.id ?? 'without an id', report, () => this.compare(subscription, known, report));
      }
      after = page.data.at(-1)?.id;
      if (!page.has_more || after === undefined) break;
    }
    // The other direction: stored live subscriptions that Stripe did not list.
    const live = await rowsOf<{ id: string; userId: string }>(
      this.dataSource,
      `select stripe_subscription_id as id, user_id as "userId" from billing_subscriptions where status = any($1) and fetched_at < $2`,
      [liveStatuses, began],
    );
    for (const { id, userId } of live) if (!seen.has(id)) await this.repair(userId, id, report);
    const share = report.compared === 0 ? 0 : report.repaired.length / report.compared;
    const isUnresolved = [report.unknown, report.refused, report.parked, report.failed].some(({ length }) => length > 0);
    if (isUnresolved || share > alarmingShare)
      this.client.alert('the store differed from Stripe', {
        compared: report.compared,
        repaired: report.repaired.length,
        unknown: report.unknown.length,
        refused: report.refused.length,
        parked: report.parked,
        failed: report.failed,
      });
    this.logger.info({ compared: report.compared, repaired: report.repaired.length }, 'compared with Stripe');
    return report;
  }

  /**
   * Refreshes live subscriptions past a date at which they change (end of period or trial, cancellation) by more than an hour: the event of that
   * date was lost.
   * @returns how many were refreshed.
   */
  async refreshStale(): Promise<number> {
    const latest = new Date(this.clock.now().getTime() - staleAfterMs);
    const rows = await rowsOf<{ id: string; userId: string }>(
      this.dataSource,
      `select stripe_subscription_id as id, user_id as "userId" from billing_subscriptions
       where status = any($1) and fetched_at < $2
         and (period_end < $2 or cancel_at < $2 or (status = 'trialing' and trial_end < $2))
       order by fetched_at limit $3`,
      [liveStatuses, latest, staleBatch],
    );
    const report = emptyReport();
    for (const { id, userId } of rows) await this.repair(userId, id, report);
    if (report.parked.length > 0 || report.failed.length > 0)
      this.client.alert('subscriptions past a date of change could not be refreshed', { parked: report.parked, failed: report.failed });
    if (report.repaired.length > 0) this.logger.warn({ fetched: report.repaired.length }, 'subscriptions past a date of change');
    return report.repaired.length;
  }

  private async loadKnownPriceIds(): Promise<Set<string>> {
    const rows = await rowsOf<{ id: string }>(this.dataSource, 'select stripe_price_id as id from plan_prices');
    return new Set(rows.map(({ id }) => id));
  }

  private async compare(subscription: Stripe.Subscription, known: ReadonlySet<string>, report: ComparisonReport): Promise<void> {
    const { manager } = this.dataSource;
    report.compared += 1;
    const userId = await this.sync.findOwner(manager, subscription);
    if (!userId) {
      const isOurs = markedUserId(subscription) !== undefined && !(await this.sync.belongsToErasedAccount(manager, subscription));
      if (isOurs) {
        report.unknown.push(subscription.id);
        differences.inc({ outcome: 'unknown' });
      }
      return;
    }
    const stored = await findSubscription(manager, subscription.id);
    if (!stored || differs(stored, subscription)) return this.repair(userId, subscription.id, report);
    const { priceId } = readTerms(subscription);
    // Equal to Stripe, but with a price outside the catalogue: reported in every run until an operator resolves it.
    if (liveStatuses.includes(subscription.status) && (priceId === undefined || !known.has(priceId)))
      this.park(subscription.id, priceId === undefined ? 'not exactly one item with a price' : `unknown price ${priceId}`, report);
  }

  private async repair(userId: string, subscriptionId: string, report: ComparisonReport): Promise<void> {
    await this.isolate(subscriptionId, report, async () => {
      const { anomaly } = await this.accounts.withLock(userId, (manager, account) =>
        this.sync.refresh(manager, account, subscriptionId, { cause: 'reconciled' }),
      );
      if (anomaly) return this.park(subscriptionId, anomaly, report);
      report.repaired.push(subscriptionId);
      differences.inc({ outcome: 'repaired' });
    });
    await sleep(pauseMs);
  }

  private park(id: string, reason: string, report: ComparisonReport): void {
    report.parked.push({ id, reason });
    differences.inc({ outcome: 'parked' });
    parked.inc({ kind: 'subscription' });
  }

  /** Runs `work` for one subscription so that its failure does not stop the others. @throws when the database or Stripe is down. */
  private async isolate(id: string, report: ComparisonReport, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.unanswered = 0;
    } catch (error) {
      if (isOutage(error)) throw error;
      if (error instanceof ProviderUnavailableError) {
        this.unanswered += 1;
        if (this.unanswered >= maxUnansweredInRow) {
          this.unanswered = 0;
          throw error;
        }
      } else this.unanswered = 0;
      if (error instanceof MissingAtStripeError) return this.count('unknown', id, report);
      if (error instanceof BillingMisconfiguredError) return this.count('refused', id, report);
      const reason = toParkedError(error);
      if (reason) return this.park(id, reason.message, report);
      this.logger.warn({ err: error, subscription: id }, 'a subscription could not be compared; the next run retries');
      this.count('failed', id, report);
    }
  }

  private count(outcome: 'unknown' | 'refused' | 'failed', id: string, report: ComparisonReport): void {
    report[outcome].push(id);
    differences.inc({ outcome });
  }
}

function differs(stored: StoredSubscription, subscription: Stripe.Subscription): boolean {
  const { priceId, periodEnd } = readTerms(subscription);
  const same = (one: Date | null, other: Date | null) => one?.getTime() === other?.getTime();
  const customer = typeof subscription.customer === 'string' ? subscription.customer : subscription.customer.id;
  return (
    stored.status !== subscription.status ||
    stored.customerId !== customer ||
    !same(stored.cancelAt, toDate(subscription.cancel_at)) ||
    stored.cancelAtPeriodEnd !== (subscription.cancel_at_period_end === true) ||
    // Price and period that cannot be read do not count as different.
    (priceId !== undefined && stored.priceId !== priceId) ||
    (periodEnd !== undefined && !same(stored.periodEnd, periodEnd))
  );
}
