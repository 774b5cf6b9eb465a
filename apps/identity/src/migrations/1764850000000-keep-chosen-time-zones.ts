import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a person chose their time zone themselves: a browser that reports another one then changes nothing. */
export class KeepChosenTimeZones1764850000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query('alter table profiles add column time_zone_chosen boolean not null default false');
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('alter table profiles drop column time_zone_chosen');
  }
}
