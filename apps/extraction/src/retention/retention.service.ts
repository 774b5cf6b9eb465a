import { Clock, CONFIG, Logger } from '@decola/service-kit';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { ExtractionConfig } from '../config.js';
import { rowsOf } from '../rows.js';

/** Lists per transaction; one may hold hundreds of thousands of people. */
const batchLists = 5;

export const expiredReason = 'Os dados desta lista expiraram e foram apagados.';

/** Erases collected people when their time is over (LGPD). The row of the list stays and says so. Every replica may run it. */
@Injectable()
export class RetentionService implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private inHand: Promise<unknown> = Promise.resolve();

  constructor(
    @Inject(CONFIG) private readonly config: Pick<ExtractionConfig, 'RETENTION_DAYS' | 'RETENTION_INTERVAL_MS'>,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.inHand = this.eraseExpired().catch((error: unknown) => this.logger.error({ err: error }, 'expired lists were not erased'));
    }, this.config.RETENTION_INTERVAL_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.inHand;
  }

  /** @returns how many lists were erased */
  async eraseExpired(): Promise<number> {
    let erased = 0;
    for (;;) {
      const batch = await this.eraseBatch();
      erased += batch;
      if (batch < batchLists) return erased;
    }
  }

  private eraseBatch(): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const lists = await rowsOf<{ id: string }>(
        manager,
        `select id from extracted_data where total_records > 0 and collected_at < $1::timestamptz - $2 * interval '1 day'
         order by collected_at limit $3 for update skip locked`,
        [this.clock.now(), this.config.RETENTION_DAYS, batchLists],
      );
      const ids = lists.map(({ id }) => id);
      if (ids.length === 0) return 0;
      await manager.query('delete from collected_people where extracted_data_id = any($1::uuid[])', [ids]);
      // Pages name nobody, and a list that is still being read is judged by them.
      await manager.query(`update extracted_data set state = 'expired', state_reason = $2, total_records = 0 where id = any($1::uuid[])`, [
        ids,
        expiredReason,
      ]);
      return ids.length;
    });
  }
}
