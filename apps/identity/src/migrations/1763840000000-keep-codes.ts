import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A mail's code stays valid after its link was followed. */
export class KeepCodes1763840000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query('alter table one_time_tokens add column link_followed_at timestamptz');
  }

  async down(query: QueryRunner): Promise<void> {
    // Without the column a followed link would work again.
    await query.query('delete from one_time_tokens where link_followed_at is not null');
    await query.query('alter table one_time_tokens drop column link_followed_at');
  }
}
