import { productTimeZone, wheelNews } from '@decola/contracts';
import { rowOf, rowsOf } from '@decola/database';
import { Outbox } from '@decola/messaging';
import { Clock, CONFIG, Logger, periodically, type PeriodicWork } from '@decola/service-kit';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { defaultWheelCopy, type WheelCopy } from '../automations/wheel-copy.js';
import type { ExtractionConfig } from '../config/config.js';

/** Hour of the day, by the clock of the product's time zone. */
const tellingHour = 8;
const customersPerBatch = 100;

interface WonRow {
  automation_id: string;
  wheel: string;
  copy: WheelCopy | null;
  prize: string;
  won: number;
  /** Hash of the newest of these draws. */
  chain: string | null;
  newest: number;
}

/** Gathers each customer's new leads for one mail a day. Every replica may do it: a day of a customer is claimed by its row. */
@Injectable()
export class DailyNews implements OnApplicationBootstrap, OnApplicationShutdown {
  private work: PeriodicWork | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<ExtractionConfig, 'DAILY_NEWS_INTERVAL_MS'>,
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.work = periodically(() => this.tell(), {
      intervalMs: this.config.DAILY_NEWS_INTERVAL_MS,
      onError: (error) => this.logger.error({ err: error }, 'the leads of a day were not gathered'),
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.work?.stop();
  }

  /** From eight o'clock on, once a day for each customer with new leads. */
  async tell(): Promise<void> {
    const now = this.clock.now();
    const { day, hour } = localTime(now);
    if (hour < tellingHour) return;
    for (;;) {
      const customers = await rowsOf<{ user_id: string }>(
        this.dataSource.manager,
        `select distinct l.user_id from leads l where not l.is_told
           and not exists (select 1 from told_days d where d.user_id = l.user_id and d.day >= $1::date) limit $2`,
        [day, customersPerBatch],
      );
      for (const { user_id: userId } of customers) await this.dataSource.transaction((manager) => this.tellOne(manager, userId, day, now));
      if (customers.length < customersPerBatch) return;
    }
  }

  private async tellOne(manager: EntityManager, userId: string, day: string, now: Date): Promise<void> {
    const isFirst = await rowOf(
      manager,
      `insert into told_days (user_id, day) values ($1, $2::date)
       on conflict (user_id) do update set day = excluded.day where told_days.day < excluded.day returning day`,
      [userId, day],
    );
    if (!isFirst) return;
    // Which leads are new is marked at the leads themselves: one that arrives meanwhile is in the next mail, whenever it was won.
    const rows = await rowsOf<WonRow>(
      manager,
      `with told as (update leads set is_told = true where user_id = $1 and not is_told returning automation_id, prize_name, position, hash)
       select t.automation_id, a.name as wheel, a.wheel as copy, t.prize_name as prize, count(*)::int as won, max(t.position) as newest,
         (array_agg(t.hash order by t.position desc))[1] as chain
       from told t join automations a using (automation_id) group by 1, 2, 3, 4 order by a.name, won desc, t.prize_name`,
      [userId],
    );
    // A wheel whose owner wants no mails any more says nothing about the leads that waited for one.
    const wheels = Object.values(
      Object.groupBy(
        rows.filter(({ copy }) => (copy ?? defaultWheelCopy).leadMails !== 'none'),
        ({ automation_id }) => automation_id,
      ),
    );
    if (wheels.length === 0) return;
    await this.outbox.add(
      manager,
      wheelNews,
      { kind: 'day', userId, wheels: wheels.flatMap((prizes) => (prizes ? [newsOf(prizes)] : [])), at: now.toISOString() },
      { subject: userId },
    );
  }
}

function newsOf(prizes: WonRow[]) {
  const newest = prizes.reduce((one, other) => (other.newest > one.newest ? other : one));
  return {
    automationId: newest.automation_id,
    wheel: newest.wheel,
    leads: prizes.reduce((sum, { won }) => sum + won, 0),
    prizes: prizes.map(({ prize, won }) => ({ name: prize, won })),
    chain: newest.chain,
  };
}

const clockFormat = new Intl.DateTimeFormat('en-CA', {
  timeZone: productTimeZone,
  ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', hourCycle: 'h23' },
});

/** @returns the day as `2026-11-22`, and the hour */
function localTime(instant: Date): { day: string; hour: number } {
  const parts = Object.fromEntries(clockFormat.formatToParts(instant).map(({ type, value }) => [type, value]));
  return { day: `${parts['year']}-${parts['month']}-${parts['day']}`, hour: Number(parts['hour']) };
}
