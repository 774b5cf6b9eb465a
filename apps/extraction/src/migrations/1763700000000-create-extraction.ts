import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // Copies of automations, fed by their events.
  `create table automations (
    automation_id uuid primary key,
    user_id uuid not null,
    type text not null,
    name text not null,
    is_draft boolean not null,
    extracted_data_id uuid,
    revision bigint not null)`,
  `create index automations_by_owner on automations (user_id)`,

  // One row per list. It is created when its automation is published and deleted with it.
  `create table extracted_data (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    automation_id uuid not null references automations (automation_id) on delete cascade,
    data_type text not null,
    file_name text not null default '',
    total_records integer not null default 0,
    profile_total integer,
    state text not null default 'waiting',
    state_reason text,
    collected_at timestamptz,
    completed_at timestamptz,
    created_at timestamptz not null default clock_timestamp(),
    constraint extracted_data_known_type check (data_type in ('followers', 'following', 'likes', 'comments', 'leads')),
    constraint extracted_data_known_state check (state in ('waiting', 'running', 'complete', 'ended_short', 'expired')),
    constraint extracted_data_short_has_reason check (state <> 'ended_short' or state_reason is not null),
    constraint extracted_data_total_is_a_count check (total_records >= 0),
    constraint extracted_data_profile_total_is_a_count check (profile_total >= 0))`,
  `create index extracted_data_by_owner on extracted_data (user_id, created_at desc)`,
  `create index extracted_data_by_automation on extracted_data (automation_id, created_at desc)`,
  `create index extracted_data_by_age on extracted_data (collected_at) where total_records > 0`,

  // Each page counts once. `fresh` is how many new people it brought.
  `create table stored_pages (
    extracted_data_id uuid not null references extracted_data (id) on delete cascade,
    page integer not null,
    pass integer not null,
    rows integer not null,
    fresh integer not null,
    primary key (extracted_data_id, page))`,

  // Each person once per list. A position never changes, so readers that page by position miss and repeat nobody.
  `create table collected_people (
    extracted_data_id uuid not null references extracted_data (id) on delete cascade,
    network_user_id text not null,
    position integer not null,
    username text not null,
    full_name text not null,
    is_private boolean not null,
    is_verified boolean not null,
    has_story boolean not null,
    collected_at timestamptz not null,
    primary key (extracted_data_id, network_user_id),
    constraint collected_people_one_per_position unique (extracted_data_id, position))`,

  // Tombstones: ids of deleted automations, lists and customers, so that an event about them that arrives late changes nothing.
  `create table gone (
    id uuid primary key,
    at timestamptz not null)`,
  `create index gone_at on gone (at)`,
];

export class CreateExtraction1763700000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table collected_people, stored_pages, extracted_data, automations, gone');
  }
}
