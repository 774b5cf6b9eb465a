import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Checks the rows that were there before `PickUpArticles` changed the constraint, without keeping writes away. */
export class CheckStatesOfDeliveries1765063000002 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query('alter table deliveries validate constraint deliveries_state_check');
  }

  async down(): Promise<void> {
    // Nothing to undo: the constraint is the same.
  }
}
