import { wheelLimits } from '@decola/contracts';
import { Clock, CONFIG, Logger, periodically, type PeriodicWork } from '@decola/service-kit';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { rowsOf } from '@decola/database';
import { DataSource } from 'typeorm';
import type { ExtractionConfig } from '../config/config.js';
import { expiredReason } from '../texts/texts.js';
import { shownDeliveries } from '../webhooks/lead-webhooks.service.js';

/** Lists per transaction. Few, since one list may hold hundreds of thousands of people. */
const listsPerBatch = 5;

/** prize-wheel erases leads when their time has come (`lead.erased`). This service does it by itself when that was not heard of for so long. */
const leadGraceDays = 2;
/** Changes of leads that never arrived are of no use after this time. */
const earlyChangeDays = 30;

/** Erases collected people after the retention time (LGPD). The row of the list stays, in state `expired`. Every replica may run it: rows are claimed. */
@Injectable()
export class RetentionService implements OnApplicationBootstrap, OnApplicationShutdown {
  private work: PeriodicWork | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<ExtractionConfig, 'RETENTION_DAYS' | 'RETENTION_INTERVAL_MS'>,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.work = periodically(() => this.eraseExpired(), {
      intervalMs: this.config.RETENTION_INTERVAL_MS,
      onError: (error) => this.logger.error({ err: error }, 'expired lists were not erased'),
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.work?.stop();
  }

  /** @returns how many lists were erased */
  async eraseExpired(): Promise<number> {
    await this.eraseOldLeads();
    let erased = 0;
    for (;;) {
      const batch = await this.eraseBatch();
      erased += batch;
      if (batch < listsPerBatch) return erased;
    }
  }

  /** Leads are erased one by one, each when its own time has come: their list goes on growing. */
  private async eraseOldLeads(): Promise<void> {
    const now = this.clock.now();
    await this.dataSource.query(
      `with erased as (
         delete from leads l using automations a
         where a.automation_id = l.automation_id and l.captured_at < $1::timestamptz - $4 * interval '1 day'
           and greatest(l.captured_at, l.valid_until) < $1::timestamptz - (coalesce((a.wheel ->> 'retentionDays')::integer, $2) + $3) * interval '1 day'
         returning l.extracted_data_id)
       update extracted_data e set total_records = total_records - n.erased
       from (select extracted_data_id as id, count(*)::int as erased from erased group by 1) n where e.id = n.id`,
      [now, wheelLimits.retentionDays.default, leadGraceDays, wheelLimits.retentionDays.min],
    );
    await this.dataSource.query(`delete from early_lead_changes where at < $1::timestamptz - $2 * interval '1 day'`, [
      now,
      earlyChangeDays,
    ]);
    await this.dataSource.query(
      `delete from webhook_deliveries d using (
         select id, row_number() over (partition by automation_id order by created_at desc, id) as place from webhook_deliveries) ranked
       where ranked.id = d.id and ranked.place > $1 and d.status <> 'waiting'`,
      [shownDeliveries],
    );
  }

  private eraseBatch(): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const lists = await rowsOf<{ id: string }>(
        manager,
        `select id from extracted_data where total_records > 0 and data_type <> 'leads' and collected_at < $1::timestamptz - $2 * interval '1 day'
         order by collected_at limit $3 for update skip locked`,
        [this.clock.now(), this.config.RETENTION_DAYS, listsPerBatch],
      );
      const ids = lists.map(({ id }) => id);
      if (ids.length === 0) return 0;
      await manager.query('delete from collected_people where extracted_data_id = any($1::uuid[])', [ids]);
      await manager.query('delete from collected_comments where extracted_data_id = any($1::uuid[])', [ids]);
      // `stored_pages` stays: it names nobody, and a list that is still being read needs it to end its pass.
      await manager.query(`update extracted_data set state = 'expired', state_reason = $2, total_records = 0 where id = any($1::uuid[])`, [
        ids,
        expiredReason,
      ]);
      return ids.length;
    });
  }
}
