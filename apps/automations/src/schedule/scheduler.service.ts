import { isOutage } from '@decola/database';
import { Clock, CONFIG, Logger, metrics, periodically, type PeriodicWork } from '@decola/service-kit';
import { BeforeApplicationShutdown, Inject, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { DataSource, type EntityManager } from 'typeorm';
import { endExpiredPauses } from '../accounts/account-pauses.js';
import { pausedKinds } from '../accounts/kind-pauses.js';
import { AutomationPauses } from '../automation-state/automation-pauses.service.js';
import { BlogSchedule } from '../blog/blog-schedule.service.js';
import type { AutomationsConfig } from '../config/config.js';
import { Dispatcher } from '../dispatch/dispatcher.service.js';
import { keepUnfollowedByHand } from '../tools/own-following-list.js';
import { Previews } from '../previews/previews.service.js';
import { RunEvents } from '../runs/run-events.service.js';
import { SessionChecks } from '../sessions/session-checks.service.js';
import { forgetOld } from './housekeeping.js';

const abandonedTotal = new Counter({
  name: 'automations_runs_given_up_total',
  help: 'Runs that went silent and were planned again',
  registers: [metrics],
});
const kindPaused = new Gauge({
  name: 'automations_kind_paused',
  help: '1 while runs of a kind rest for everybody, because the site changed',
  labelNames: ['kind', 'tool', 'landmark'],
  registers: [metrics],
});

const housekeepingIntervalMs = 600_000;
/** After an outage of this service or its database, reports that wait in the broker are handled within this time. */
const catchUpMs = 60_000;

/**
 * Does everything that time makes due, in every replica. Rows are claimed by locks that other replicas skip, so that nothing is done twice.
 */
@Injectable()
export class Scheduler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private ticker: PeriodicWork | undefined;
  private isStopping = false;
  private nextHousekeepingAt = 0;
  /** Time (by `performance.now()`) before which no run counts as silent, because its reports may wait in the broker. */
  private caughtUpAt = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly pauses: AutomationPauses,
    private readonly checks: SessionChecks,
    private readonly dispatcher: Dispatcher,
    private readonly runEvents: RunEvents,
    private readonly previews: Previews,
    private readonly blog: BlogSchedule,
    private readonly clock: Clock,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: AutomationsConfig,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.SCHEDULER_ENABLED !== 'true') return;
    this.waitForReports();
    const intervalMs = this.config.SCHEDULER_INTERVAL_MS;
    this.ticker = periodically(() => this.tick(), {
      intervalMs,
      onError: (error) => {
        this.logger.error({ err: error }, 'a scheduler tick failed');
        if (isOutage(error)) this.waitForReports();
      },
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.ticker?.stop();
  }

  /** Resumes, gives up and checks what is due, then dispatches until nothing is due. */
  async tick(): Promise<{ dispatched: number }> {
    const now = this.clock.now();
    await this.inTransaction(async (manager) => {
      await endExpiredPauses(manager, now);
      await this.pauses.resumeDue(manager, now);
    });
    if (performance.now() >= this.caughtUpAt)
      abandonedTotal.inc(await this.inTransaction((manager) => this.runEvents.giveUpSilent(manager, this.config.RUN_SILENCE_MS, now)));
    await this.measurePausedKinds();
    await this.inTransaction((manager) => this.checks.abandonLateVisits(manager, now));
    await this.inTransaction((manager) => this.previews.endSilent(manager, now));
    await this.inTransaction((manager) => this.checks.beginDueVisits(manager, now));
    await this.inTransaction((manager) => keepUnfollowedByHand(manager, now));
    await this.blog.publishAgain();
    await this.blog.publishDue();
    if (now.getTime() >= this.nextHousekeepingAt) {
      this.nextHousekeepingAt = now.getTime() + housekeepingIntervalMs;
      await forgetOld(this.dataSource.manager, now);
    }
    return { dispatched: await this.dispatchAll() };
  }

  private async dispatchAll(): Promise<number> {
    let total = 0;
    while (!this.isStopping) {
      const { claimed, dispatched, undecided } = await this.dispatcher.dispatchBatch();
      total += dispatched;
      // A batch of which nothing was decided would be claimed again at once: it is left to the next tick.
      if (claimed < this.config.SCHEDULER_BATCH || undecided === claimed) break;
    }
    return total;
  }

  private inTransaction<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return this.dataSource.transaction(work);
  }

  private async measurePausedKinds(): Promise<void> {
    const kinds = await pausedKinds(this.dataSource.manager);
    kindPaused.reset();
    for (const { kind, tool, landmark } of kinds) kindPaused.set({ kind, tool, landmark }, 1);
  }

  /** During our own outage reports cannot arrive, so no run counts as silent. */
  private waitForReports(): void {
    this.caughtUpAt = performance.now() + Math.min(catchUpMs, this.config.RUN_SILENCE_MS);
  }
}
