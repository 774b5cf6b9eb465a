import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Articles are looked at once a day for reasons to write them anew, those first that were not looked at for longest. */
export class FindArticlesToRefresh1765040000001 implements MigrationInterface {
  // An index that is made beside writes cannot be made in a transaction.
  transaction = false;

  async up(query: QueryRunner): Promise<void> {
    // One that was interrupted leaves an index that nobody uses.
    await query.query('drop index concurrently if exists customer_articles_to_refresh');
    await query.query(
      `create index concurrently customer_articles_to_refresh on customer_articles (refresh_checked_at nulls first) where state = 'approved'`,
    );
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('drop index concurrently if exists customer_articles_to_refresh');
  }
}
