import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the gate found in the article of a run (`RunQuality`); null until the run has an article. */
export class ReportQuality1764995000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query('alter table article_runs add column quality jsonb');
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('alter table article_runs drop column quality');
  }
}
