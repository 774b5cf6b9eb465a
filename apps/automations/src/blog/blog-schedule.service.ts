import { articleDue, type BlogAutomationFacts, blogScheduleTypes, endOfProductDay, nextScheduleOccurrence } from '@decola/contracts';
import { type Database, rowsOf } from '@decola/database';
import { Outbox } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { pauseReason } from '../texts/texts.js';

export interface BlogScheduleRow {
  schedule_type: (typeof blogScheduleTypes)[number];
  schedule_time: string;
  schedule_day: number | null;
  schedule_days: number[] | null;
}

/**
 * When the next article is due after an instant; null when no weekday is chosen.
 * @param lastDueAt when the last one was due: its day of Brasília gets no second one, also when the time of day is moved
 */
export function nextGeneration(row: BlogScheduleRow, after: Date, lastDueAt: Date | null): Date | null {
  const served = lastDueAt && endOfProductDay(lastDueAt);
  return nextScheduleOccurrence(
    { type: row.schedule_type, time: row.schedule_time, days: row.schedule_days, dayOfMonth: row.schedule_day },
    served !== null && served > after ? served : after,
  );
}

/** Switches rows off because the plan shrank. */
export async function pauseBlogsForPlan(db: Database, ids: readonly string[], now: Date): Promise<void> {
  await db.query(`update blog_automations set is_active = false, pause_cause = 'plan', pause_reason = $2 where id = any($1)`, [
    ids,
    pauseReason('plan', now, null),
  ]);
}

/** Switches rows on again that were switched off for the plan. Articles that were missed meanwhile are not made up for. */
export async function resumeBlogs(db: Database, ids: readonly string[], now: Date): Promise<void> {
  const rows = await rowsOf<BlogScheduleRow & { id: string; last_due_at: Date | null }>(
    db,
    `select id, schedule_type, schedule_time, schedule_day, schedule_days, last_due_at from blog_automations where id = any($1) for update`,
    [ids],
  );
  await db.query(
    `update blog_automations b set is_active = true, pause_cause = null, pause_reason = null, next_generation_at = n.next_generation_at
     from unnest($1::uuid[], $2::timestamptz[]) as n (id, next_generation_at) where b.id = n.id`,
    [rows.map(({ id }) => id), rows.map((row) => nextGeneration(row, now, row.last_due_at))],
  );
}

/** Publishes `article.due` once per occurrence. Of several missed occurrences only one is published. */
@Injectable()
export class BlogSchedule {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** @returns how many articles were due */
  publishDue(): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const now = this.clock.now();
      const due = await rowsOf<
        BlogScheduleRow & {
          id: string;
          user_id: string;
          keyword: string;
          theme: string | null;
          next_generation_at: Date;
          facts: BlogAutomationFacts;
        }
      >(
        manager,
        `select id, user_id, keyword, theme, next_generation_at, schedule_type, schedule_time, schedule_day, schedule_days,
           blog_automation_facts(b) as facts
         from blog_automations b where is_active and next_generation_at <= $1 order by next_generation_at limit 200 for update skip locked`,
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
            automation: row.facts,
          },
          subject: row.id,
        })),
      );
      await manager.query(
        `update blog_automations b set next_generation_at = n.next_generation_at, last_due_at = b.next_generation_at
         from unnest($1::uuid[], $2::timestamptz[]) as n (id, next_generation_at) where b.id = n.id`,
        [due.map(({ id }) => id), due.map((row) => nextGeneration(row, now, row.next_generation_at))],
      );
      return due.length;
    });
  }

  /**
   * Publishes automations again that were not published for a day, and once those that are older than the event: a listener that was not there yet, or
   * lost a message, catches up. @returns how many were published
   */
  async publishAgain(): Promise<number> {
    const published = await rowsOf(
      this.dataSource.manager,
      `update blog_automations b set announced_at = $1 where id in (
         select id from blog_automations where announced_at is null or announced_at < $1::timestamptz - interval '1 day'
         order by announced_at nulls first limit 200 for update skip locked)
       returning publish_blog_automation(b)`,
      [this.clock.now()],
    );
    return published.length;
  }
}
