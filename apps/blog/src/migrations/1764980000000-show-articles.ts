import type { MigrationInterface, QueryRunner } from 'typeorm';
import { articleEventsMigration } from './article-events.js';

const statements = [
  `alter table blog_articles add column word_count integer check (word_count >= 0), add column published_at timestamptz, add column withdrawn_at timestamptz`,
  `update blog_articles set published_at = created_at where published`,
  `create index blog_articles_shown on blog_articles (published_at desc, id) where published`,

  // Search. Bodies with \`return\` are bound here, so that they work whatever the search path is, as in a restore. \`unaccent\` of one argument depends on
  // the search path and cannot be used in a column; with its dictionary named it cannot change.
  `create function fold_text(text) returns text language sql immutable strict parallel safe
    return lower(public.unaccent('public.unaccent'::regdictionary, $1))`,
  `create function article_words(title text, excerpt text, tags text[]) returns text language sql immutable parallel safe
    return fold_text(concat_ws(E'\\n', title, excerpt, array_to_string(tags, E'\\n')))`,
  // Stems need accents ("automações" has another stem than "automacoes"), so whoever types none is helped by the plain words.
  `create function article_search(title text, excerpt text, tags text[]) returns tsvector language sql immutable parallel safe
    return setweight(to_tsvector('pg_catalog.portuguese'::regconfig, coalesce(title, '')), 'A')
      || setweight(to_tsvector('pg_catalog.simple'::regconfig, coalesce(fold_text(title), '')), 'A')
      || setweight(to_tsvector('pg_catalog.portuguese'::regconfig, coalesce(array_to_string(tags, ' '), '')), 'B')
      || setweight(to_tsvector('pg_catalog.simple'::regconfig, coalesce(fold_text(array_to_string(tags, ' ')), '')), 'B')
      || setweight(to_tsvector('pg_catalog.portuguese'::regconfig, coalesce(excerpt, '')), 'C')
      || setweight(to_tsvector('pg_catalog.simple'::regconfig, coalesce(fold_text(excerpt), '')), 'C')`,
  `alter table blog_articles
    add column search tsvector generated always as (article_search(title, excerpt, tags)) stored,
    add column folded text generated always as (article_words(title, excerpt, tags)) stored`,
  `create index blog_articles_search on blog_articles using gin (search)`,
  `create index blog_articles_folded on blog_articles using gin (folded public.gin_trgm_ops)`,

  // Slugs that articles had while they were published: of renamed ones, and of deleted ones, whose id belongs to no article any more.
  `create table article_slugs (
    slug text primary key,
    article_id uuid not null,
    created_at timestamptz not null default clock_timestamp())`,
  `create index article_slugs_by_article on article_slugs (article_id)`,

  // A visitor of an article on one day, as HMAC by the salt of that day. Both are deleted after 48 hours; then nobody can tell who it was. Days are those
  // of Brasília.
  `create table article_view_marks (
    article_id uuid not null,
    day date not null,
    visitor bytea not null,
    is_counted boolean not null default false,
    created_at timestamptz not null default clock_timestamp(),
    primary key (article_id, day, visitor))`,
  `create index article_view_marks_to_count on article_view_marks (article_id) where not is_counted`,
  `create index article_view_marks_by_day on article_view_marks (day)`,
  `create table view_salts (
    day date primary key,
    salt bytea not null,
    created_at timestamptz not null default clock_timestamp())`,
];

export class ShowArticles1764980000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of [...statements, ...articleEventsMigration.up]) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    for (const statement of articleEventsMigration.down) await query.query(statement);
    await query.query('drop table article_slugs, article_view_marks, view_salts');
    await query.query('alter table blog_articles drop column search, drop column folded');
    await query.query('drop function article_search(text, text, text[]), article_words(text, text, text[]), fold_text(text)');
    await query.query('alter table blog_articles drop column word_count, drop column published_at, drop column withdrawn_at');
  }
}
