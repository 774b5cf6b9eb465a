import { changedRows } from '@decola/database';
import { Clock, Logger, periodically, type PeriodicWork } from '@decola/service-kit';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';

const hourMs = 60 * 60 * 1_000;
const keptMs = 30 * 24 * hourMs;
/** Rows of one statement, so that draws never wait long for it. */
const batchRows = 5_000;

/** Forgets after 30 days from which network somebody spun. */
@Injectable()
export class ForgetNetworks implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private work: PeriodicWork | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.work = periodically(() => this.forget(), {
      intervalMs: hourMs,
      onError: (error) => this.logger.warn({ err: error }, 'networks of old participations could not be forgotten; tried again in an hour'),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.work?.stop();
  }

  /** Two replicas at the same time take different rows. */
  async forget(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - keptMs);
    for (;;) {
      const forgotten = await changedRows(
        this.dataSource.manager,
        `update prize_wheel_participations set network_key = null where id in (
           select id from prize_wheel_participations where network_key is not null and created_at < $1
           order by created_at limit ${batchRows} for update skip locked)`,
        [before],
      );
      if (forgotten < batchRows) return;
    }
  }
}
