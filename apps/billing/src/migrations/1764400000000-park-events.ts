import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the status `parked` for events that no retry can process, and the subscription to which a trial was granted. */
export class ParkEvents1764400000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query(`alter table stripe_events
      drop constraint stripe_events_status_check,
      add constraint stripe_events_status_check check (status in ('received', 'done', 'ignored', 'failed', 'parked'))`);
    await query.query('alter table trial_grants add column stripe_subscription_id text');
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('alter table trial_grants drop column stripe_subscription_id');
    await query.query(`update stripe_events set status = 'failed' where status = 'parked'`);
    await query.query(`alter table stripe_events
      drop constraint stripe_events_status_check,
      add constraint stripe_events_status_check check (status in ('received', 'done', 'ignored', 'failed'))`);
  }
}
