import { productTimeZone } from '@decola/contracts';
import { Clock, Logger, periodically, type PeriodicWork } from '@decola/service-kit';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';

const flushEveryMs = 5_000;

/** Writes a day as `2026-11-22`. */
const dayFormat = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: productTimeZone });

interface DayCounts {
  automationId: string;
  day: string;
  views: number;
  continued: number;
}

/**
 * Counts how many people saw a wheel and how many went on to spin it. Counts are added in memory and stored every few seconds, so that a visit writes
 * nothing itself. A crash loses the counts of the last seconds, never a spin.
 */
@Injectable()
export class VisitCounts implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private counts = new Map<string, DayCounts>();
  private work: PeriodicWork | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.work = periodically(() => this.flush(), {
      intervalMs: flushEveryMs,
      onError: (error) => this.logger.warn({ err: error }, 'visits of wheels could not be stored; they are kept for the next time'),
    });
  }

  // While the database is still open. What a last request counts after this is lost.
  async beforeApplicationShutdown(): Promise<void> {
    await this.work?.stop();
    await this.flush().catch((error: unknown) => this.logger.warn({ err: error }, 'the last visits of wheels could not be stored'));
  }

  /** A person saw the page of this wheel. */
  viewed(automationId: string): void {
    this.ofToday(automationId).views += 1;
  }

  /** A visitor of this wheel filled the form and went on. */
  continued(automationId: string): void {
    this.ofToday(automationId).continued += 1;
  }

  /** Stores what was counted since the last time, in one statement. Wheels that were deleted meanwhile are left out. */
  async flush(): Promise<void> {
    const counted = [...this.counts.values()];
    if (counted.length === 0) return;
    this.counts = new Map();
    try {
      // In the order of the ids, so that replicas which store the same wheels wait for each other instead of blocking each other.
      await this.dataSource.query(
        `insert into wheel_days (automation_id, day, views, continued)
         select c.automation_id, c.day, c.views, c.continued
         from unnest($1::uuid[], $2::date[], $3::integer[], $4::integer[]) as c (automation_id, day, views, continued)
         join wheels using (automation_id) order by c.automation_id, c.day
         on conflict (automation_id, day) do update set views = wheel_days.views + excluded.views,
           continued = wheel_days.continued + excluded.continued`,
        [
          counted.map(({ automationId }) => automationId),
          counted.map(({ day }) => day),
          counted.map(({ views }) => views),
          counted.map(({ continued }) => continued),
        ],
      );
    } catch (error) {
      for (const { automationId, day, views, continued } of counted) {
        const kept = this.of(automationId, day);
        kept.views += views;
        kept.continued += continued;
      }
      throw error;
    }
  }

  private ofToday(automationId: string): DayCounts {
    return this.of(automationId, dayFormat.format(this.clock.now()));
  }

  private of(automationId: string, day: string): DayCounts {
    const key = `${automationId} ${day}`;
    const known = this.counts.get(key) ?? { automationId, day, views: 0, continued: 0 };
    this.counts.set(key, known);
    return known;
  }
}
