import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // What an article said before a change, so that the change can be undone. `origin` tells whose table `article_id` belongs to.
  `create table article_revisions (
    id uuid primary key default gen_random_uuid(),
    article_id uuid not null,
    revision integer not null,
    origin text not null check (origin in ('editorial', 'customer')),
    -- The changed columns as they were.
    content jsonb not null,
    cause text not null check (cause in ('cleaned', 'undone')),
    -- Changes that were made together, and are undone together.
    change_id uuid not null,
    -- SHA-256 of the same columns after the change: while it holds, nobody has changed them since.
    after_hash text not null,
    created_at timestamptz not null default clock_timestamp(),
    constraint article_revisions_once unique (article_id, revision))`,
  `create index article_revisions_by_change on article_revisions (change_id)`,
  `create function delete_article_revisions() returns trigger language plpgsql set search_path from current as $$ begin
    delete from article_revisions where article_id = old.id and origin = 'editorial';
    return null;
  end $$`,
  `create trigger delete_article_revisions after delete on blog_articles for each row execute function delete_article_revisions()`,
];

export class KeepRevisions1764930000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('drop trigger delete_article_revisions on blog_articles');
    await query.query('drop function delete_article_revisions()');
    await query.query('drop table article_revisions');
  }
}
