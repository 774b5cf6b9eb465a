import { rowOf, rowsOf } from '@decola/database';
import { Outbox } from '@decola/messaging';
import { Clock, CONFIG, Logger, metrics, periodically, type PeriodicWork } from '@decola/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Counter } from 'prom-client';
import { DataSource } from 'typeorm';
import type { PrizeWheelConfig } from '../config/config.js';
import { Draws } from '../draws/draws.service.js';
import { eraseParticipations } from '../privacy/erase-participations.js';
import { retentionDaysOf } from '../privacy/retained-until.js';
import { wheelFault } from './wheel-check.js';

const hourMs = 60 * 60 * 1_000;
/** Less than a day, so that a wheel does not come later every night. */
const betweenMs = 20 * hourMs;
const batchRows = 500;

const checks = new Counter({
  name: 'wheel_checks_total',
  help: 'Nightly comparisons of a wheel’s figures with its chain, by outcome (sound, fault, failed)',
  labelNames: ['outcome'],
  registers: [metrics],
});

/**
 * Once a day for each wheel: erases leads whose retention is over, and compares the wheel's figures with its chain. A fault is reported and never repaired:
 * nobody could tell afterwards what was true. Every replica may run it: wheels are claimed.
 */
@Injectable()
export class Nightly implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private work: PeriodicWork | undefined;
  private isStopped = false;

  constructor(
    private readonly draws: Draws,
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: Pick<PrizeWheelConfig, 'WHEEL_NIGHTLY_INTERVAL_MS'>,
  ) {}

  onApplicationBootstrap(): void {
    this.work = periodically(() => this.run(), {
      intervalMs: this.config.WHEEL_NIGHTLY_INTERVAL_MS,
      onError: (error) => this.logger.error({ err: error }, 'the nightly work of wheels failed'),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.work?.stop();
  }

  /** Does the work of every wheel that is due. @returns how many wheels that were */
  async run(): Promise<number> {
    for (let done = 0; ; done += 1) {
      const automationId = this.isStopped ? undefined : await this.claim();
      if (automationId === undefined) return done;
      await this.eraseLeads(automationId);
      await this.check(automationId);
    }
  }

  /** @returns a wheel that no other replica takes today; undefined when none is due */
  private async claim(): Promise<string | undefined> {
    const now = this.clock.now();
    const before = new Date(now.getTime() - betweenMs);
    for (;;) {
      const due = await rowOf<{ automation_id: string }>(
        this.dataSource.manager,
        `select w.automation_id from wheels w left join wheel_checks c on c.automation_id = w.automation_id
         where c.checked_at is null or c.checked_at < $1 order by c.checked_at nulls first, w.automation_id limit 1`,
        [before],
      );
      if (!due) return undefined;
      const claimed = await rowOf<{ automation_id: string }>(
        this.dataSource.manager,
        `insert into wheel_checks (automation_id, checked_at) select automation_id, $2 from wheels where automation_id = $1
         on conflict (automation_id) do update set checked_at = excluded.checked_at where wheel_checks.checked_at < $3 returning automation_id`,
        [due.automation_id, now, before],
      );
      if (claimed) return claimed.automation_id;
    }
  }

  /** Erases what the wheel may not keep any longer, in batches. @returns how many leads it erased */
  async eraseLeads(automationId: string): Promise<number> {
    const wheel = await rowOf<{ configuration: unknown }>(
      this.dataSource.manager,
      'select configuration from wheels where automation_id = $1',
      [automationId],
    );
    if (!wheel) return 0;
    const now = this.clock.now();
    const before = new Date(now.getTime() - retentionDaysOf(wheel.configuration) * 24 * hourMs);
    for (let erased = 0; ;) {
      const batch = await this.dataSource.transaction(async (manager) => {
        const rows = await rowsOf<{ id: string }>(
          manager,
          `select id from prize_wheel_participations where automation_id = $1 and erased_at is null and created_at < $2
             and (valid_until is null or valid_until < $2) order by created_at limit ${batchRows} for update skip locked`,
          [automationId, before],
        );
        const tools = { outbox: this.outbox, erasedHandles: this.draws.erasedHandles, now };
        return eraseParticipations(
          manager,
          rows.map(({ id }) => id),
          'retention',
          tools,
        );
      });
      erased += batch;
      if (batch < batchRows) return erased;
    }
  }

  /** Compares the wheel's figures with its chain, in one snapshot. @returns what does not fit; null when all fits */
  async check(automationId: string): Promise<string | null> {
    try {
      const fault = await this.dataSource.transaction('REPEATABLE READ', async (manager) => {
        await manager.query('set transaction read only');
        return wheelFault(manager, automationId);
      });
      checks.inc({ outcome: fault === null ? 'sound' : 'fault' });
      if (fault !== null)
        this.logger.error({ alert: 'a wheel does not fit its chain', wheel: automationId, fault }, 'a wheel does not fit its chain');
      await this.dataSource.query('update wheel_checks set fault = $2 where automation_id = $1', [automationId, fault]);
      return fault;
    } catch (error) {
      checks.inc({ outcome: 'failed' });
      throw error;
    }
  }
}
