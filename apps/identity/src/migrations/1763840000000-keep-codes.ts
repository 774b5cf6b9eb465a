import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A link that was followed leaves its mail's code. */
export class KeepCodes1763840000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query('alter table one_time_tokens add column link_followed_at timestamptz');
  }

  async down(query: QueryRunner): Promise<void> {
    // Without the mark a followed link would work again.
    await query.query('delete from one_time_tokens where link_followed_at is not null');
    await query.query('alter table one_time_tokens drop column link_followed_at');
  }
}
