import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // In R$, by the prices at the time of the call; null when nobody told the price of its model.
  `alter table ai_calls add column cost numeric(14, 6)`,
  // Of all calls of the run; null when the price of one of them is unknown.
  `alter table article_runs add column cost numeric(14, 6)`,
  // What is deleted after its time is found without reading the rest.
  `create index ai_calls_by_age on ai_calls (created_at)`,
  `create index article_runs_with_steps on article_runs (updated_at) where steps <> '{}'`,
];

export class PriceArticles1764990000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('drop index ai_calls_by_age, article_runs_with_steps');
    await query.query('alter table article_runs drop column cost');
    await query.query('alter table ai_calls drop column cost');
  }
}
