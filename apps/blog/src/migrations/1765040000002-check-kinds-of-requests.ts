import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Checks the rows that were there before `RefreshArticles` changed the constraint, without keeping writes away. */
export class CheckKindsOfRequests1765040000002 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query('alter table daily_requests validate constraint daily_requests_kind_check');
  }

  async down(): Promise<void> {
    // Nothing to undo: the constraint is the same.
  }
}
