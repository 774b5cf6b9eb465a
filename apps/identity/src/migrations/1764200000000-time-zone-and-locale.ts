import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A person's time zone and language, for the quiet hours and browsers of automations. */
export class TimeZoneAndLocale1764200000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query('alter table profiles add column time_zone text, add column locale text');
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('alter table profiles drop column time_zone, drop column locale');
  }
}
