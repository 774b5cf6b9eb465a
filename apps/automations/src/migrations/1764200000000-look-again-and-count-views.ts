import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // tried_at: when the decisive click was announced. The others: looks at the person's page afterwards.
  `alter table account_actions add column tried_at timestamptz, add column first_negative_at timestamptz, add column next_look_at timestamptz,
     add column looks integer not null default 0`,
  `create index account_actions_to_look on account_actions (account_key, next_look_at) where next_look_at is not null`,
  // Requests that were not looked at since: the person may have accepted.
  `update account_actions set next_look_at = settled_at + interval '1 day' where state = 'requested' and settled_at > now() - interval '30 days'`,
  `alter table account_pages add column views integer not null default 0`,
  `alter table runs add column page_views integer not null default 0, add column ends_at timestamptz`,
  // While a kind of run is paused for everybody, one run is let through at this time as a probe.
  `alter table kind_pauses add column probe_at timestamptz not null default now()`,
  // Accounts that were shown an unknown page: two of different customers mean that the site changed.
  `create table site_sightings (
    id bigint generated always as identity primary key,
    kind text not null,
    recipe text not null,
    account_key text not null,
    user_id uuid not null,
    at timestamptz not null)`,
  `create index site_sightings_by_recipe on site_sightings (kind, recipe, at)`,
];

/** Looks after tries, page views, and sightings of unknown pages. */
export class LookAgainAndCountViews1764200000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table site_sightings');
    await query.query('alter table kind_pauses drop column probe_at');
    await query.query('alter table runs drop column page_views, drop column ends_at');
    await query.query('alter table account_pages drop column views');
    await query.query(
      'alter table account_actions drop column tried_at, drop column first_negative_at, drop column next_look_at, drop column looks',
    );
  }
}
