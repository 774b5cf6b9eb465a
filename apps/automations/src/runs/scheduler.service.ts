import { browserRun } from '@decola/contracts';
import { Outbox } from '@decola/messaging';
import { Clock, CONFIG, metrics } from '@decola/service-kit';
import { BeforeApplicationShutdown, Inject, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { Counter } from 'prom-client';
import { DataSource } from 'typeorm';
import { AccountPauses } from '../accounts/account-pauses.js';
import { SessionChecks } from '../accounts/session-checks.js';
import { BlogSchedule } from '../blog/blog-schedule.service.js';
import type { AutomationsConfig } from '../config.js';
import { decide, type HoldCode } from './decide.js';
import { claimDue, type DecidedRun, insertRuns, lookAround, moveOn, putOff } from './dispatch.js';
import { ExtractionCourse } from './extraction-course.js';
import { forgetOld } from './housekeeping.js';
import { RunEvents } from './run-events.js';

const dispatched = new Counter({
  name: 'automations_runs_dispatched_total',
  help: 'Runs sent to browser workers',
  labelNames: ['queue'],
  registers: [metrics],
});
const held = new Counter({
  name: 'automations_runs_held_total',
  help: 'Due automations that were put off, by reason',
  labelNames: ['code'],
  registers: [metrics],
});
const given = new Counter({
  name: 'automations_runs_given_up_total',
  help: 'Runs that went silent and were planned again',
  registers: [metrics],
});

const tidyEveryMs = 600_000;

export interface BatchResult {
  /** Due automations that were looked at. */
  claimed: number;
  dispatched: number;
}

/**
 * Dispatches what is due. Every replica runs it: a batch is claimed by row locks that others skip, and one transaction inserts
 * the runs, hands their jobs to the outbox and moves the automations on.
 */
@Injectable()
export class Scheduler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Scheduler.name);
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> = Promise.resolve();
  private isStopping = false;
  private tidiedAt = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly pauses: AccountPauses,
    private readonly checks: SessionChecks,
    private readonly outbox: Outbox,
    private readonly runEvents: RunEvents,
    private readonly extractions: ExtractionCourse,
    private readonly blog: BlogSchedule,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: AutomationsConfig,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.SCHEDULER_ENABLED === 'true') this.plan(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.working;
  }

  /** One look: lets go on what rested, gives up what went silent, and dispatches until nothing is due. */
  async tick(): Promise<{ dispatched: number }> {
    const now = this.clock.now();
    await this.dataSource.transaction((manager) => this.pauses.resumeDue(manager, now));
    const silent = await this.dataSource.transaction((manager) => this.runEvents.giveUpSilent(manager, this.config.RUN_SILENCE_MS, now));
    given.inc(silent);
    await this.dataSource.transaction((manager) => this.checks.giveUpLate(manager, now));
    await this.dataSource.transaction((manager) => this.extractions.readAgain(manager, now));
    await this.blog.announceDue();
    if (now.getTime() - this.tidiedAt >= tidyEveryMs) {
      this.tidiedAt = now.getTime();
      await forgetOld(this.dataSource.manager, now);
    }
    let total = 0;
    while (!this.isStopping) {
      const batch = await this.dispatchBatch();
      total += batch.dispatched;
      if (batch.claimed < this.config.SCHEDULER_BATCH) break;
    }
    return { dispatched: total };
  }

  /** Claims and dispatches one batch in one transaction. */
  dispatchBatch(): Promise<BatchResult> {
    return this.dataSource.transaction(async (manager) => {
      const now = this.clock.now();
      const rules = {
        ceilings: this.config.CEILINGS,
        quietHours: this.config.QUIET_HOURS,
        actionGapMs: this.config.ACTION_GAP_MS,
        pageGapMs: this.config.PAGE_GAP_MS,
        unfollowAfterDays: this.config.UNFOLLOW_AFTER_DAYS,
        jobTtlMs: this.config.RUN_JOB_TTL_MS,
      };
      const batch = await claimDue(manager, this.config.SCHEDULER_BATCH, now);
      if (batch.length === 0) return { claimed: 0, dispatched: 0 };
      const around = await lookAround(manager, batch, rules.unfollowAfterDays, now);

      const busy = new Set(around.busy);
      const runs: DecidedRun[] = [];
      const puts: { id: string; until: Date; code: HoldCode; reason: string }[] = [];
      for (const due of batch) {
        const decision = decide(due, { ...around, busy }, rules, now);
        if (decision.kind === 'run' && !browserRun.schema.safeParse(decision.job).success) {
          // One row that no plan can be made of must not hold up everybody else's.
          this.logger.error(`automation ${due.id}: its job does not fit the schema`);
          await this.pauses.pauseAutomation(manager, due.id, 'target_gone', now);
        } else if (decision.kind === 'run') {
          runs.push({ due, decision });
          busy.add(decision.job.accountKey);
        } else if (decision.kind === 'hold') {
          puts.push({ id: due.id, ...decision });
          held.inc({ code: decision.code });
        } else await this.pauses.pauseAutomation(manager, due.id, decision.cause, now);
      }

      const won = await insertRuns(manager, runs, now);
      const wonIds = new Set(won.map(({ due }) => due.id));
      for (const { due } of runs) {
        if (wonIds.has(due.id)) continue;
        const again = decide(due, { ...around, busy }, rules, now);
        if (again.kind === 'hold') puts.push({ id: due.id, ...again });
      }
      await this.outbox.enqueueMany(
        manager,
        browserRun,
        won.map(({ decision: { job, queue } }) => ({ id: job.runId, queue, subject: job.accountKey, payload: job })),
      );
      await moveOn(manager, won);
      await putOff(manager, puts);
      for (const { decision } of won) dispatched.inc({ queue: decision.queue });
      return { claimed: batch.length, dispatched: won.length };
    });
  }

  private plan(delayMs: number): void {
    if (this.isStopping) return;
    this.timer = setTimeout(() => {
      this.working = this.tick()
        .then(
          () => undefined,
          (error: unknown) => this.logger.error(error instanceof Error ? error : String(error), 'a look for due automations failed'),
        )
        .then(() => this.plan(this.config.SCHEDULER_INTERVAL_MS));
    }, delayMs);
  }
}
