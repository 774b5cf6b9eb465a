import { articleRefreshStates, customerChanged, refreshReasons } from '@decola/contracts';
import { type AnnouncedTable, announceChanges, silenceChanges } from '@decola/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const announced: readonly AnnouncedTable[] = [
  { table: 'refresh_proposals', shows: ['refresh_proposals'] },
  { table: 'article_refreshes', shows: ['article_refreshes'], columns: { key: ['id'], seen: ['state', 'problem', 'until'] } },
];

const list = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ');

const statements = [
  // When an article was last looked at for reasons to write it anew; null: not yet.
  `alter table customer_articles add column refresh_checked_at timestamptz`,

  // The run of the article that a run writes anew.
  `alter table article_runs add column refreshes_run_id uuid`,

  // Why an article should be written anew: one row for each article and reason, however often it is found.
  `create table refresh_proposals (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    article_id uuid not null references customer_articles on delete cascade,
    reason text not null check (reason in (${list(refreshReasons)})),
    detail jsonb not null default '{}',
    state text not null default 'proposed' check (state in ('proposed', 'accepted', 'dismissed')),
    decided_at timestamptz,
    created_at timestamptz not null default clock_timestamp(),
    updated_at timestamptz not null default clock_timestamp(),
    constraint refresh_proposals_once unique (article_id, reason))`,
  `create index refresh_proposals_by_owner on refresh_proposals (user_id, created_at desc)`,

  // New texts of articles that are on their owners' sites. The article itself is changed only when its owner, or their automation's setting, approves the text.
  `create table article_refreshes (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    article_id uuid not null references customer_articles on delete cascade,
    run_id uuid not null,
    -- Of the article that was given to the model: a later one is its owner's, and stays.
    revision integer not null,
    state text not null check (state in (${list(articleRefreshStates)})),
    reasons text[] not null,
    title text,
    content_html text,
    excerpt text,
    meta jsonb,
    claims jsonb not null default '[]',
    quality jsonb,
    problem text,
    until timestamptz,
    mail_due_at timestamptz,
    created_at timestamptz not null default clock_timestamp(),
    updated_at timestamptz not null default clock_timestamp(),
    constraint article_refreshes_once unique (run_id))`,
  `create unique index article_refreshes_open on article_refreshes (article_id) where state in ('writing', 'waiting')`,
  `create index article_refreshes_by_owner on article_refreshes (user_id, created_at desc)`,
  `create index article_refreshes_waiting on article_refreshes (until) where state = 'waiting'`,
  `create index article_refreshes_to_mail on article_refreshes (mail_due_at) where mail_due_at is not null`,

  // Links of articles to other sites. dead_since: the first day on which it was not found; is_dead: so it was on a later day, too.
  `create table article_links (
    user_id uuid not null,
    article_id uuid not null references customer_articles on delete cascade,
    site_key text not null,
    url text not null,
    host text not null,
    next_check_at timestamptz not null,
    checked_on date,
    dead_since date,
    is_dead boolean not null default false,
    primary key (article_id, url))`,
  `create index article_links_due on article_links (next_check_at)`,
  `create index article_links_by_day on article_links (checked_on, user_id, site_key)`,
  `create index article_links_by_owner on article_links (user_id)`,

  `alter table daily_requests drop constraint daily_requests_kind_check`,
  `alter table daily_requests add constraint daily_requests_kind_check check (kind in ('preview', 'retry', 'refresh')) not valid`,
];

/** Keeps why articles of customers should be written anew, and their new texts. */
export class RefreshArticles1765040000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
    for (const statement of announceChanges(customerChanged, announced)) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    for (const statement of silenceChanges(announced.map(({ table }) => table))) await query.query(statement);
    await query.query('drop table refresh_proposals, article_refreshes, article_links');
    await query.query('alter table article_runs drop column refreshes_run_id');
    await query.query('alter table customer_articles drop column refresh_checked_at');
    await query.query(`delete from daily_requests where kind = 'refresh'`);
    await query.query('alter table daily_requests drop constraint daily_requests_kind_check');
    await query.query(`alter table daily_requests add constraint daily_requests_kind_check check (kind in ('preview', 'retry')) not valid`);
  }
}
