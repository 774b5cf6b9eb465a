import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The same row keeps its id: a UUID of version 3 (a name's MD5) of the account and the kind. */
const idOfKind = `overlay(overlay(md5(c.id::text || k.action) placing '3' from 13) placing '8' from 17)::uuid`;

const statements = [
  // What each proven account did, one row for each kind that has a ceiling. The windows are those of `usageOf`: skips do not count, and a bucket
  // of pages counts from five minutes before the window. Each kind is one range of an index, however long the ledger is.
  `create view account_usage as
    select ${idOfKind} as id, c.user_id, c.id as instagram_account_id, k.action, u.hour_used, u.day_used,
      a.first_seen_at, a.last_block_at
    from instagram_accounts c
    join network_accounts a on a.account_key = c.account_key
    cross join (values ('follow'), ('unfollow'), ('like'), ('comment'), ('view-story'), ('message')) as k (action)
    cross join lateral (
      select count(*) filter (where l.reserved_at > now() - interval '1 hour')::int as hour_used, count(*)::int as day_used
      from account_actions l
      where l.account_key = c.account_key and l.action = k.action and l.reserved_at > now() - interval '24 hours' and l.state <> 'skipped') u
    where c.proven_at is not null
    union all
    select ${idOfKind}, c.user_id, c.id, k.action, k.hour_used, k.day_used, a.first_seen_at, a.last_block_at
    from instagram_accounts c
    join network_accounts a on a.account_key = c.account_key
    cross join lateral (
      select coalesce(sum(p.pages) filter (where p.bucket > now() - interval '65 minutes'), 0)::int as pages_of_hour,
        coalesce(sum(p.pages), 0)::int as pages_of_day,
        coalesce(sum(p.views) filter (where p.bucket > now() - interval '65 minutes'), 0)::int as views_of_hour,
        coalesce(sum(p.views), 0)::int as views_of_day
      from account_pages p where p.account_key = c.account_key and p.bucket > now() - interval '24 hours 5 minutes') s
    cross join lateral (values ('list-page', s.pages_of_hour, s.pages_of_day), ('page-view', s.views_of_hour, s.views_of_day))
      as k (action, hour_used, day_used)
    where c.proven_at is not null`,

  // Counters of an account's own profile, by day of its customer's time zone.
  `create table account_growth (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    instagram_account_id uuid not null references instagram_accounts (id) on delete cascade,
    day date not null,
    followers integer,
    following integer,
    posts integer,
    seen_at timestamptz not null,
    constraint account_growth_once_a_day unique (instagram_account_id, day))`,
  `create index account_growth_by_owner on account_growth (user_id, day desc)`,
];

/** Adds a view of accounts' usage against their ceilings, and a table of their profile counters by day. */
export class ShowUsageAndGrowth1764500000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table account_growth');
    await query.query('drop view account_usage');
  }
}
