import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requests of sites name their key, not their owner. */
export class FindSitesByKey1765063000001 implements MigrationInterface {
  // An index that is made beside writes cannot be made in a transaction.
  transaction = false;

  async up(query: QueryRunner): Promise<void> {
    // One that was interrupted leaves an index that nobody uses.
    await query.query('drop index concurrently if exists sites_by_key');
    await query.query('create index concurrently sites_by_key on sites (site_key)');
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('drop index concurrently if exists sites_by_key');
  }
}
