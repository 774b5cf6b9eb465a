import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DeliverPrizes1764810000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query('alter table prize_wheel_participations add column delivered_at timestamptz, add column void_reason text');
    // Ended by its owner: nothing opens a round until they say so.
    await query.query('alter table wheel_draws add column is_ended boolean not null default false');
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('alter table wheel_draws drop column is_ended');
    await query.query('alter table prize_wheel_participations drop column delivered_at, drop column void_reason');
  }
}
