import { articleDue, blogScheduleTypes, nextScheduleOccurrence } from '@decola/contracts';
import { Outbox } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Database, rowsOf } from '../rows.js';

export interface BlogScheduleRow {
  schedule_type: (typeof blogScheduleTypes)[number];
  schedule_time: string;
  schedule_day: number | null;
  schedule_days: number[] | null;
}

/** Next article of a row after an instant; null when no weekday is chosen. */
export function nextGeneration(row: BlogScheduleRow, after: Date): Date | null {
  return nextScheduleOccurrence(
    { type: row.schedule_type, time: row.schedule_time, days: row.schedule_days, dayOfMonth: row.schedule_day },
    after,
  );
}

/** Switches rows on again that the plan had switched off: the next article is the next occurrence, not one that was missed meanwhile. */
export async function resumeBlogs(db: Database, ids: readonly string[], now: Date): Promise<void> {
  const rows = await rowsOf<BlogScheduleRow & { id: string }>(
    db,
    `select id, schedule_type, schedule_time, schedule_day, schedule_days from blog_automations where id = any($1) for update`,
    [ids],
  );
  await db.query(
    `update blog_automations b set is_active = true, pause_cause = null, pause_reason = null, next_generation_at = n.next_generation_at
     from unnest($1::uuid[], $2::timestamptz[]) as n (id, next_generation_at) where b.id = n.id`,
    [rows.map(({ id }) => id), rows.map((row) => nextGeneration(row, now))],
  );
}

/** Tells when an article is due, once per occurrence; missed ones are not piled up. */
@Injectable()
export class BlogSchedule {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** @returns how many articles became due */
  announceDue(): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const now = this.clock.now();
      const due = await rowsOf<
        BlogScheduleRow & { id: string; user_id: string; keyword: string; theme: string | null; next_generation_at: Date }
      >(
        manager,
        `select id, user_id, keyword, theme, next_generation_at, schedule_type, schedule_time, schedule_day, schedule_days
         from blog_automations where is_active and next_generation_at <= $1 order by next_generation_at limit 200 for update skip locked`,
        [now],
      );
      await this.outbox.addMany(
        manager,
        articleDue,
        due.map((row) => ({
          payload: {
            blogAutomationId: row.id,
            userId: row.user_id,
            occurrenceAt: row.next_generation_at.toISOString(),
            keyword: row.keyword,
            theme: row.theme,
          },
          subject: row.id,
        })),
      );
      await manager.query(
        `update blog_automations b set next_generation_at = n.next_generation_at, last_generated_at = $3
         from unnest($1::uuid[], $2::timestamptz[]) as n (id, next_generation_at) where b.id = n.id`,
        [due.map(({ id }) => id), due.map((row) => nextGeneration(row, now)), now],
      );
      return due.length;
    });
  }
}
