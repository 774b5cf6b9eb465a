import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // The product's own blog.
  `create table blog_articles (
    id uuid primary key default gen_random_uuid(),
    slug text not null,
    title text not null,
    excerpt text,
    content text not null default '',
    category text,
    tags text[] not null default '{}',
    author text,
    read_time integer,
    view_count integer not null default 0,
    featured_image text,
    meta_title text,
    meta_description text,
    published boolean not null default false,
    created_at timestamptz not null default clock_timestamp(),
    updated_at timestamptz not null default clock_timestamp(),
    constraint blog_articles_slug_key unique (slug),
    constraint blog_articles_counts check (view_count >= 0 and (read_time is null or read_time >= 0)))`,
  `create index blog_articles_published on blog_articles (created_at desc) where published`,

  `create table user_keywords (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    keyword text not null check (length(keyword) between 1 and 500),
    created_at timestamptz not null default clock_timestamp(),
    constraint user_keywords_user_id_keyword_key unique (user_id, keyword))`,

  `create table user_tokens (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    token text not null check (length(token) between 1 and 1000),
    token_type text not null,
    created_at timestamptz not null default clock_timestamp(),
    constraint user_tokens_user_id_token_type_key unique (user_id, token_type))`,

  // Requested articles, once per blog automation and occurrence.
  `create table due_articles (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    blog_automation_id uuid not null,
    occurrence_at timestamptz not null,
    keyword text not null,
    theme text,
    received_at timestamptz not null,
    constraint due_articles_once unique (blog_automation_id, occurrence_at))`,
  `create index due_articles_by_owner on due_articles (user_id)`,

  // Tombstones: ids of deleted customers, so that an event or a write of them that arrives late changes nothing.
  `create table erased_users (
    user_id uuid primary key,
    erased_at timestamptz not null)`,
];

export class CreateBlog1763700000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table blog_articles, user_keywords, user_tokens, due_articles, erased_users');
  }
}
