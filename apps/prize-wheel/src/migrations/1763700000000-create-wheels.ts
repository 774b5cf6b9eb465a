import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // Copies of the automations of type prize-extractor, fed by events.
  `create table wheels (
    automation_id uuid primary key,
    user_id uuid not null,
    name text not null,
    is_draft boolean not null,
    is_active boolean not null,
    configuration jsonb not null,
    revision bigint not null,
    constraint wheels_draft_is_off check (not (is_draft and is_active)))`,
  `create index wheels_by_owner on wheels (user_id)`,

  // One spin per wheel and handle, for ever. Deleted with its wheel.
  `create table prize_wheel_participations (
    id uuid primary key default gen_random_uuid(),
    automation_id uuid not null references wheels (automation_id) on delete cascade,
    instagram_handle text not null,
    prize_won text,
    created_at timestamptz not null default clock_timestamp(),
    constraint participations_one_per_handle unique (automation_id, instagram_handle),
    constraint participations_handle_form check (instagram_handle ~ '^@[^[:space:]@]+$' and instagram_handle = lower(instagram_handle)))`,

  // Tombstones: ids of deleted automations and customers, so that an event about them that arrives late changes nothing.
  `create table gone (
    id uuid primary key,
    at timestamptz not null)`,
  `create index gone_at on gone (at)`,
];

export class CreateWheels1763700000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table prize_wheel_participations, wheels, gone');
  }
}
