import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CountVisits1764840000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    // Visits of a wheel by the day in São Paulo. Spins are counted from the participations, so that no draw writes here.
    await query.query(
      `create table wheel_days (
        automation_id uuid not null references wheels (automation_id) on delete cascade,
        day date not null,
        views integer not null default 0,
        continued integer not null default 0,
        primary key (automation_id, day)) with (fillfactor = 70)`,
    );
    // HMAC of the network that a participation came from, kept for 30 days.
    await query.query('alter table prize_wheel_participations add column network_key bytea');
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('alter table prize_wheel_participations drop column network_key');
    await query.query('drop table wheel_days');
  }
}
