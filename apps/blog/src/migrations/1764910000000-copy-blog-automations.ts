import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Created by a superuser (scripts/lib/provision.mjs, deploy/postgres/10-services.sh): this service's role may not. */
const extensions = ['unaccent', 'pg_trgm'];

const statements = [
  // Blog automations as automations told of them last; `id` is theirs.
  `create table blog_automation_copies (
    id uuid primary key,
    user_id uuid not null,
    origin text not null check (origin in ('customer', 'editorial')),
    keyword text not null,
    theme text,
    categories text,
    webhook_url text,
    schedule jsonb not null,
    settings jsonb not null default '{}',
    is_active boolean not null,
    revision bigint not null,
    created_at timestamptz not null default clock_timestamp())`,
  `create index blog_automation_copies_by_owner on blog_automation_copies (user_id)`,

  // Tombstones of deleted automations, so that an event about them that arrives late changes nothing.
  `create table gone (id uuid primary key, at timestamptz not null)`,

  // One article for an automation and day of Brasília: moved from 09:00 to 15:00 after the run, the day does not get a second one.
  `delete from due_articles d using due_articles e
   where d.blog_automation_id = e.blog_automation_id and d.occurrence_at > e.occurrence_at
     and (d.occurrence_at at time zone 'America/Sao_Paulo')::date = (e.occurrence_at at time zone 'America/Sao_Paulo')::date`,
  `alter table due_articles
    add column local_date date not null generated always as ((occurrence_at at time zone 'America/Sao_Paulo')::date) stored,
    add column state text not null default 'waiting',
    add column run_id uuid,
    add column created_at timestamptz not null default clock_timestamp(),
    add constraint due_articles_state check (state in ('waiting', 'running', 'written', 'skipped', 'failed')),
    add constraint due_articles_once_a_day unique (blog_automation_id, local_date)`,
  // Nothing was written in the versions before; what was due then is not made up for.
  `update due_articles set state = 'skipped'`,

  // A sealed token is longer than the token. Its own length is checked before it is sealed.
  `alter table user_tokens drop constraint user_tokens_token_check`,
  `alter table user_tokens add constraint user_tokens_token_check check (length(token) between 1 and 8000)`,
];

/** Keeps a copy of blog automations, and one due article for each of their days. Makes room for sealed tokens. */
export class CopyBlogAutomations1764910000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    const found = (await query.query(`select extname from pg_extension where extname = any($1)`, [extensions])) as { extname: string }[];
    const missing = extensions.filter((extension) => !found.some(({ extname }) => extname === extension));
    if (missing.length > 0)
      throw new Error(
        `a superuser has to run in this database: ${missing.map((extension) => `create extension "${extension}" schema public;`).join(' ')}`,
      );
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query(`alter table user_tokens drop constraint user_tokens_token_check`);
    await query.query(`alter table user_tokens add constraint user_tokens_token_check check (length(token) between 1 and 1000) not valid`);
    await query.query(`alter table due_articles drop column local_date, drop column state, drop column run_id, drop column created_at`);
    await query.query(`drop table gone, blog_automation_copies`);
  }
}
