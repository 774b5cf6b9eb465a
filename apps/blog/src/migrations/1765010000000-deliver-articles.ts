import { customerChanged, deliveryStates } from '@decola/contracts';
import { type AnnouncedTable, announceChanges, silenceChanges } from '@decola/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const announced: readonly AnnouncedTable[] = [
  {
    table: 'sites',
    shows: ['sites'],
    columns: {
      key: ['id'],
      seen: ['origin_url', 'kind', 'plugin_version', 'capabilities', 'checked_at', 'problem_code', 'problem_reason'],
    },
  },
  {
    table: 'deliveries',
    shows: ['deliveries'],
    automation: 'c.blog_automation_id',
    columns: {
      key: ['id'],
      seen: ['state', 'code', 'reason', 'attempt', 'next_attempt_at', 'revision', 'post_id', 'public_url', 'edit_url', 'seen_at'],
    },
  },
  { table: 'delivery_attempts', shows: ['delivery_attempts'] },
];

const states = deliveryStates.map((state) => `'${state}'`).join(', ');

const statements = [
  // Sites of customers, one for an owner and host. `lease_until` and `fence`: one call to a site at a time. `proven_fingerprint`: the token that the site has
  // proven to know. `failures`: deliveries in a row that failed for good.
  `create table sites (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    site_key text not null,
    origin_url text not null,
    host text not null,
    door text,
    kind text check (kind in ('plugin', 'other')),
    plugin_version text,
    capabilities jsonb,
    inventory jsonb,
    inventory_due_at timestamptz,
    checked_at timestamptz,
    problem_code text,
    problem_reason text,
    proven_fingerprint text,
    mail_due_at timestamptz,
    failures integer not null default 0,
    lease_until timestamptz,
    fence integer not null default 0,
    created_at timestamptz not null default clock_timestamp(),
    updated_at timestamptz not null default clock_timestamp(),
    constraint sites_once unique (user_id, site_key))`,

  `create index sites_to_mail on sites (mail_due_at) where mail_due_at is not null`,
  `create index sites_to_list on sites (inventory_due_at) where inventory_due_at is not null`,

  // An article on its way to a site, and what became of it there. Timers: next_attempt_at, look_at (is it visible?), status_at (is it still as delivered?).
  `create table deliveries (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    blog_automation_id uuid,
    article_id uuid not null,
    site_id uuid not null,
    revision integer not null,
    state text not null default 'pending' check (state in (${states})),
    operation text not null default 'deliver' check (operation in ('deliver', 'withdraw')),
    code text,
    reason text,
    attempt integer not null default 0,
    refusals integer not null default 0,
    round integer not null default 0,
    is_forced boolean not null default false,
    next_attempt_at timestamptz,
    counted_on date not null,
    steps jsonb not null default '{}',
    delivered_revision integer,
    content_hash text,
    post_id bigint,
    public_url text,
    edit_url text,
    published_at timestamptz,
    looks integer not null default 0,
    look_at timestamptz,
    seen_at timestamptz,
    status_at timestamptz,
    created_at timestamptz not null default clock_timestamp(),
    updated_at timestamptz not null default clock_timestamp(),
    constraint deliveries_once unique (article_id, site_id))`,
  `create index deliveries_by_owner on deliveries (user_id, created_at desc)`,
  `create index deliveries_by_site on deliveries (site_id, counted_on)`,
  `create index deliveries_due on deliveries (next_attempt_at) where next_attempt_at is not null`,
  `create index deliveries_to_look on deliveries (look_at) where look_at is not null`,
  `create index deliveries_to_ask on deliveries (status_at) where status_at is not null`,

  `create table delivery_attempts (
    id uuid primary key default gen_random_uuid(),
    delivery_id uuid not null,
    user_id uuid not null,
    operation text not null,
    status integer,
    code text,
    ms integer not null,
    excerpt text,
    at timestamptz not null default clock_timestamp())`,
  `create index delivery_attempts_by_delivery on delivery_attempts (delivery_id, at desc)`,
  `create index delivery_attempts_by_owner on delivery_attempts (user_id, at desc)`,
  `create index delivery_attempts_by_age on delivery_attempts (at)`,

  // Tests of addresses that a person started, to limit them.
  `create table webhook_tests (
    user_id uuid not null,
    at timestamptz not null)`,
  `create index webhook_tests_by_owner on webhook_tests (user_id, at)`,

  // A replaced token signs along until the sites answer by the new one. `fingerprint` names a token without telling anything about it.
  `alter table user_tokens
    add column previous_sealed text,
    add column previous_until timestamptz,
    add column fingerprint text`,
];

/** Sites of customers, and the deliveries of articles to them. */
export class DeliverArticles1765010000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
    for (const statement of announceChanges(customerChanged, announced)) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    for (const statement of silenceChanges(announced.map(({ table }) => table))) await query.query(statement);
    await query.query('alter table user_tokens drop column previous_sealed, drop column previous_until, drop column fingerprint');
    await query.query('drop table sites, deliveries, delivery_attempts, webhook_tests');
  }
}
