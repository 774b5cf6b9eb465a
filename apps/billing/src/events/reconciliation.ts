import { Clock, CONFIG, Logger } from '@decola/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { BillingConfig } from '../config.js';
import { StripeClient } from '../stripe/stripe-client.js';
import { EventStore } from './event-store.js';
import { listenedTypes } from './event-targets.js';
import { Sweep } from './sweep.js';

const runnerLock = 7_410_001;
/** Deliveries may be late; the last stretch is always read again. */
const overlapSeconds = 600;
/** Stripe takes at most this many types in one question. */
const typesPerQuestion = 20;

const sweepLock = 7_410_002;
const hourMs = 3_600_000;
const nightMs = 24 * hourMs;

/** Fetches the events that were never delivered, and once a day compares everything. One replica at a time. */
@Injectable()
export class Reconciliation implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    private readonly client: StripeClient,
    private readonly events: EventStore,
    private readonly sweep: Sweep,
    private readonly clock: Clock,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: BillingConfig,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running = this.run()
        .then(() => this.hourly())
        .then(() => this.nightly())
        .catch((error: unknown) => this.logger.warn({ err: error }, 'lost events could not be looked for'));
    }, this.config.RECONCILIATION_INTERVAL_MS);
    this.timer.unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** @returns how many lost events were found; undefined when another replica is at it. */
  run(): Promise<number | undefined> {
    return this.dataSource.transaction(async (manager) => {
      const [lock] = await manager.query<{ free: boolean }[]>('select pg_try_advisory_xact_lock($1) as free', [runnerLock]);
      if (!lock?.free) return undefined;
      const [cursor] = await manager.query<{ position: string }[]>(`select position from reconciliation_cursors where name = 'events'`);
      const now = Math.floor(this.clock.now().getTime() / 1000);
      const since = Number(cursor?.position ?? now) - overlapSeconds;
      let found = 0;
      for (let first = 0; first < listenedTypes.length; first += typesPerQuestion) {
        const types = listenedTypes.slice(first, first + typesPerQuestion) as string[];
        let after: string | undefined;
        for (;;) {
          const startingAfter = after;
          const page = await this.client.ask('list', (stripe) =>
            stripe.events.list({ types, created: { gte: since }, limit: 100, ...(startingAfter ? { starting_after: startingAfter } : {}) }),
          );
          for (const event of page.data) if (await this.events.receiveIn(manager, event)) found += 1;
          after = page.data.at(-1)?.id;
          if (!page.has_more || after === undefined) break;
        }
      }
      await manager.query(
        `insert into reconciliation_cursors (name, position) values ('events', $1) on conflict (name) do update set position = excluded.position`,
        [now],
      );
      await manager.query(`update stripe_events set body = null where body is not null and received_at < now() - interval '30 days'`);
      // Of people who are gone, what tells a second trial is kept for two years and no longer.
      await manager.query(`delete from trial_grants g using billing_accounts a
        where a.user_id = g.user_id and a.deleted_at < now() - interval '24 months'`);
      if (found > 0) this.logger.warn({ found }, 'events that were never delivered');
      return found;
    });
  }

  /** What must have changed by now, when the last look is an hour old. @returns whether it ran. */
  hourly(): Promise<boolean> {
    return this.every('stale', hourMs, () => this.sweep.stale());
  }

  /** The comparison of everything, when the last one is a day old. @returns whether it ran. */
  nightly(): Promise<boolean> {
    return this.every('sweep', nightMs, () => this.sweep.run());
  }

  private every(name: string, intervalMs: number, work: () => Promise<unknown>): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const [lock] = await manager.query<{ free: boolean }[]>('select pg_try_advisory_xact_lock($1) as free', [sweepLock]);
      if (!lock?.free) return false;
      const now = this.clock.now().getTime();
      const [cursor] = await manager.query<{ position: string }[]>('select position from reconciliation_cursors where name = $1', [name]);
      if (cursor && now - Number(cursor.position) < intervalMs) return false;
      await manager.query(`select set_config('idle_in_transaction_session_timeout', '0', true)`);
      await work();
      await manager.query(
        `insert into reconciliation_cursors (name, position) values ($1, $2) on conflict (name) do update set position = excluded.position`,
        [name, now],
      );
      return true;
    });
  }
}
