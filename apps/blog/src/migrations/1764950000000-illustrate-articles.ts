import type { MigrationInterface, QueryRunner } from 'typeorm';

export class IllustrateArticles1764950000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    // Facts of `featured_image` (`articleImage` of libs/contracts), which hold while its `src` is that address.
    await query.query('alter table blog_articles add column image jsonb');
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('alter table blog_articles drop column image');
  }
}
