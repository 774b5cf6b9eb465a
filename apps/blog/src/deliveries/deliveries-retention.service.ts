import { inBatches } from '@decola/database';
import { Clock, Logger, periodically, type PeriodicWork } from '@decola/service-kit';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';

const intervalMs = 6 * 60 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;
/** Rows of one statement, so that nobody waits long for it. */
const batchRows = 500;
const attemptDays = 90;

/** Deletes calls to sites that nobody asks about any more, replaced tokens whose time is over, and counted tests. Every replica may run it. */
@Injectable()
export class DeliveriesRetention implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private work: PeriodicWork | undefined;
  private isStopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.work = periodically(() => this.deleteExpired(), {
      intervalMs,
      onError: (error) => this.logger.error({ err: error }, 'old attempts of deliveries were not deleted'),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.work?.stop();
  }

  async deleteExpired(): Promise<void> {
    const now = this.clock.now();
    const before = (days: number) => new Date(now.getTime() - days * dayMs);
    await inBatches(
      this.dataSource.manager,
      `with expired as (select id from delivery_attempts where at < $1 limit ${batchRows} for update skip locked)
       delete from delivery_attempts d using expired where d.id = expired.id`,
      [before(attemptDays)],
      { size: batchRows, isStopped: () => this.isStopped },
    );
    await this.dataSource.query('update user_tokens set previous_sealed = null, previous_until = null where previous_until < $1', [now]);
    await this.dataSource.query('delete from webhook_tests where at < $1', [before(1)]);
  }
}
