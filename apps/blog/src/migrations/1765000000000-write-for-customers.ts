import { customerChanged } from '@decola/contracts';
import { type AnnouncedTable, announceChanges, silenceChanges } from '@decola/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const announced: readonly AnnouncedTable[] = [
  {
    table: 'customer_articles',
    shows: ['customer_articles'],
    columns: { key: ['id'], seen: ['state', 'revision', 'title', 'reason', 'approval_until'] },
  },
];

const statements = [
  // Articles for customers' sites, one of each run. They never stand in blog_articles, so that none can show on our own blog.
  `create table customer_articles (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    blog_automation_id uuid not null,
    run_id uuid not null,
    site_key text not null,
    revision integer not null default 1,
    title text not null,
    slug text not null,
    content_html text not null,
    excerpt text not null,
    -- Null: no categories of the site are known, so the site chooses.
    category text,
    tags text[] not null default '{}',
    -- {metaTitle, metaDescription, focusKeyword}
    meta jsonb not null default '{}',
    image jsonb,
    quality jsonb not null default '{"hard":[],"soft":[]}',
    claims jsonb not null default '[]',
    publish_mode text not null default 'publish' check (publish_mode in ('publish', 'draft')),
    state text not null check (state in ('waiting_approval', 'needs_review', 'rewriting', 'approved', 'rejected', 'expired')),
    -- Why it waits, or what its owner said against it.
    reason text,
    -- How its owner decided, so that the same decision again is no error.
    decision text check (decision in ('approve', 'change', 'reject')),
    decided_at timestamptz,
    -- A waiting article expires then.
    approval_until timestamptz,
    -- When the next mail about it is due: the request, and one reminder.
    mail_due_at timestamptz,
    mails integer not null default 0,
    created_at timestamptz not null default clock_timestamp(),
    updated_at timestamptz not null default clock_timestamp(),
    constraint customer_articles_once unique (run_id))`,
  `create index customer_articles_by_owner on customer_articles (user_id, created_at desc)`,
  `create index customer_articles_by_site on customer_articles (user_id, site_key, created_at desc)`,
  `create index customer_articles_waiting on customer_articles (approval_until) where state in ('waiting_approval', 'needs_review')`,
  `create index customer_articles_to_mail on customer_articles (mail_due_at) where mail_due_at is not null`,

  // Links of mails by which an article is decided. Only a hash of the token is kept.
  `create table approvals (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    article_id uuid not null references customer_articles on delete cascade,
    token_hash text not null unique,
    -- The page's nonces are made with it, so that opening the link stores nothing.
    nonce_key text not null,
    expires_at timestamptz not null,
    created_at timestamptz not null default clock_timestamp())`,
  `create index approvals_by_article on approvals (article_id)`,
  `create index approvals_by_owner on approvals (user_id)`,

  // How often a person asked for something that costs calls to the model, on a day of Brasília.
  `create table daily_requests (
    user_id uuid not null,
    kind text not null check (kind in ('preview', 'retry')),
    day date not null,
    times integer not null,
    primary key (user_id, kind, day))`,

  // Revisions of customers' articles: an owner's edits, and a rewriting that the owner asked for.
  `alter table article_revisions drop constraint article_revisions_cause_check`,
  `alter table article_revisions add constraint article_revisions_cause_check check (cause in ('cleaned', 'undone', 'edited', 'rewritten'))`,
  `create function delete_customer_article_revisions() returns trigger language plpgsql set search_path from current as $$ begin
    delete from article_revisions where article_id = old.id and origin = 'customer';
    return null;
  end $$`,
  `create trigger delete_article_revisions after delete on customer_articles
     for each row execute function delete_customer_article_revisions()`,
];

/** Keeps the articles of customers' sites, and what their owners decide about them. */
export class WriteForCustomers1765000000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
    for (const statement of announceChanges(customerChanged, announced)) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    for (const statement of silenceChanges(announced.map(({ table }) => table))) await query.query(statement);
    await query.query(`delete from article_revisions where origin = 'customer'`);
    await query.query('drop table approvals, daily_requests, customer_articles');
    await query.query('drop function delete_customer_article_revisions()');
    await query.query('alter table article_revisions drop constraint article_revisions_cause_check');
    await query.query(`alter table article_revisions add constraint article_revisions_cause_check check (cause in ('cleaned', 'undone'))`);
  }
}
