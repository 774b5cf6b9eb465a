import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Jobs are stored as they are: sealed sessions do not compress, and rows of more than 2 kB were compressed in vain, moved into a second table and read from there
 * again by the relay.
 */
export class KeepJobsUncompressed1765050010000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query('alter table outbox set (toast_tuple_target = 8160)');
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('alter table outbox reset (toast_tuple_target)');
  }
}
