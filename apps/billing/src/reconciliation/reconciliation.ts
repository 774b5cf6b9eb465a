import { type Database, isOutage, rowOf } from '@decola/database';
import { Clock, CONFIG, Logger, metrics, periodically, type PeriodicWork } from '@decola/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Counter } from 'prom-client';
import type Stripe from 'stripe';
import { DataSource, type EntityManager } from 'typeorm';
import type { BillingConfig } from '../config/config.js';
import { parked } from '../stripe/parked.js';
import { StripeClient } from '../stripe/stripe-client.js';
import { EventStore } from '../stripe-events/event-store.js';
import { listenedTypes } from '../stripe-events/event-targets.js';
import { SubscriptionComparison } from './subscription-comparison.js';

/** Deliveries may be late: the last ten minutes are always read again. */
const overlapSeconds = 600;
/** Stripe accepts at most this many types in one request. */
const typesPerRequest = 20;

/** Advisory lock of each kind of run, so that one replica at a time does it; `sweep` is the comparison of everything. */
export const locks = { events: 7_410_001, sweep: 7_410_002, stale: 7_410_003 } as const;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const runs = new Counter({
  name: 'stripe_reconciliation_runs_total',
  help: 'Runs of reconciliation (events, stale, sweep), by outcome',
  labelNames: ['work', 'outcome'],
  registers: [metrics],
});

/** Stripe refused some of the lists; the others were processed. */
export class IncompleteListError extends Error {}

/**
 * Finds what webhooks missed: fetches events that were never delivered, every hour subscriptions past a date at which they change, and once a
 * day all subscriptions.
 */
@Injectable()
export class Reconciliation implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private works: PeriodicWork[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly client: StripeClient,
    private readonly events: EventStore,
    private readonly comparison: SubscriptionComparison,
    private readonly clock: Clock,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: BillingConfig,
  ) {}

  /**
   * The first runs start at once, for what was missed while billing was down. Each fails alone: a Stripe key that may not list events still
   * compares subscriptions.
   */
  onApplicationBootstrap(): void {
    this.works = [
      this.startPeriodic('events', () => this.fetchMissedEvents(), 'missed events could not be fetched'),
      this.startPeriodic('stale', () => this.refreshStaleHourly(), 'subscriptions past a date of change could not be refreshed'),
      this.startPeriodic('sweep', () => this.compareAllDaily(), 'subscriptions could not be compared with Stripe'),
    ];
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.works.map((work) => work.stop()));
  }

  private startPeriodic(name: keyof typeof locks, work: () => Promise<unknown>, failure: string): PeriodicWork {
    const counted = async () => {
      const result = await work();
      // Undefined or false: another replica is running it, or it is not due yet.
      if (result !== undefined && result !== false) runs.inc({ work: name, outcome: 'done' });
    };
    return periodically(counted, {
      intervalMs: this.config.RECONCILIATION_INTERVAL_MS,
      onError: (error) => {
        runs.inc({ work: name, outcome: 'failed' });
        if (isOutage(error)) this.logger.warn({ err: error, work: name }, failure);
        else this.logger.error({ alert: failure, err: error, work: name }, failure);
      },
    });
  }

  /**
   * Stores the events that were never delivered, and deletes data whose retention has ended.
   * @returns how many events were missing; undefined when another replica is running it.
   * @throws IncompleteListError when Stripe refused some lists; they are requested again by the next run, and what was found is stored.
   */
  async fetchMissedEvents(): Promise<number | undefined> {
    const refused: unknown[] = [];
    const result = await this.dataSource.transaction(async (manager) => {
      if (!(await tryLock(manager, 'events'))) return undefined;
      const cursor = await positionOf(manager, 'events');
      const now = Math.floor(this.clock.now().getTime() / 1000);
      const since = (cursor ?? now) - overlapSeconds;
      let found = 0;
      for (let first = 0; first < listenedTypes.length; first += typesPerRequest) {
        const types = listenedTypes.slice(first, first + typesPerRequest) as string[];
        try {
          for await (const event of this.eventsSince(since, types)) if (await this.storeEvent(manager, event)) found += 1;
        } catch (error) {
          if (isOutage(error)) throw error;
          refused.push(error);
        }
      }
      // After a refusal the position stays, so that the next run reads the same span again; only the first run ever always sets it.
      if (refused.length === 0 || cursor === undefined) await setPosition(manager, 'events', now);
      await manager.query(`update stripe_events set body = null where body is not null and received_at < now() - interval '30 days'`);
      // Trial hashes of deleted accounts are kept for two years.
      await manager.query(`delete from trial_grants g using billing_accounts a
        where a.user_id = g.user_id and a.deleted_at < now() - interval '24 months'`);
      if (found > 0) this.logger.warn({ found }, 'events that were never delivered');
      return found;
    });
    if (refused.length > 0) throw new IncompleteListError(`events could not be listed: ${messageOf(refused[0])}`, { cause: refused[0] });
    return result;
  }

  private async *eventsSince(since: number, types: string[]): AsyncGenerator<Stripe.Event> {
    let after: string | undefined;
    for (;;) {
      const startingAfter = after;
      const page = await this.client.request('list', (stripe) =>
        stripe.events.list({ types, created: { gte: since }, limit: 100, ...(startingAfter ? { starting_after: startingAfter } : {}) }),
      );
      yield* page.data;
      after = page.data.at(-1)?.id;
      if (!page.has_more || after === undefined) return;
    }
  }

  /** Stores one event; one that cannot be stored is reported and does not stop the others. */
  private async storeEvent(manager: EntityManager, event: Stripe.Event): Promise<boolean> {
    try {
      return await manager.transaction((tx) => this.events.storeIn(tx, event));
    } catch (error) {
      if (isOutage(error)) throw error;
      parked.inc({ kind: 'event' });
      this.client.alert('an event of Stripe cannot be stored', { event: event?.id, reason: messageOf(error), err: error });
      return false;
    }
  }

  /** Refreshes subscriptions past a date at which they change, if the last run is an hour ago. @returns whether it ran. */
  refreshStaleHourly(): Promise<boolean> {
    return this.runIfDue('stale', hourMs, () => this.comparison.refreshStale());
  }

  /** Compares all subscriptions, if the last run is a day ago. @returns whether it ran. */
  compareAllDaily(): Promise<boolean> {
    return this.runIfDue('sweep', dayMs, () => this.comparison.compareAll());
  }

  private runIfDue(name: keyof typeof locks, intervalMs: number, work: () => Promise<unknown>): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      if (!(await tryLock(manager, name))) return false;
      const now = this.clock.now().getTime();
      const lastRunMs = await positionOf(manager, name);
      if (lastRunMs !== undefined && now - lastRunMs < intervalMs) return false;
      // The transaction holds the lock and stays idle while `work` waits for Stripe.
      await manager.query(`select set_config('idle_in_transaction_session_timeout', '0', true)`);
      await work();
      await setPosition(manager, name, now);
      return true;
    });
  }
}

/** @returns false when another replica holds the lock. It is released with the transaction. */
async function tryLock(db: Database, name: keyof typeof locks): Promise<boolean> {
  const lock = await rowOf<{ free: boolean }>(db, 'select pg_try_advisory_xact_lock($1) as free', [locks[name]]);
  return lock?.free === true;
}

/** When the last run was, since the epoch: in seconds for `events`, in milliseconds for the others. */
async function positionOf(db: Database, name: keyof typeof locks): Promise<number | undefined> {
  const cursor = await rowOf<{ position: string }>(db, 'select position from reconciliation_cursors where name = $1', [name]);
  return cursor && Number(cursor.position);
}

async function setPosition(db: Database, name: keyof typeof locks, position: number): Promise<void> {
  await db.query(
    `insert into reconciliation_cursors (name, position) values ($1, $2) on conflict (name) do update set position = excluded.position`,
    [name, position],
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
