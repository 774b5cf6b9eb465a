import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // One row per wheel; locking it makes the draws of a wheel serial over all replicas. Rows are updated by every batch: room for updates in place.
  `create table wheel_draws (
    automation_id uuid primary key references wheels (automation_id) on delete cascade,
    is_open boolean not null default false,
    round integer not null default 0,
    seq bigint not null default 0,
    drawn bigint not null default 0,
    stock_version bigint not null default 0,
    head bytea not null) with (fillfactor = 50)`,

  `create table wheel_prizes (
    automation_id uuid not null references wheel_draws (automation_id) on delete cascade,
    prize_id text not null,
    position integer not null,
    name text not null,
    type text not null,
    message text not null,
    total integer not null,
    given integer not null default 0,
    remaining integer not null,
    retired_at timestamptz,
    primary key (automation_id, prize_id),
    constraint prizes_never_below_none check (remaining >= 0 and given >= 0)) with (fillfactor = 50)`,

  `create table wheel_rounds (
    automation_id uuid not null references wheel_draws (automation_id) on delete cascade,
    round integer not null,
    seed_sealed text not null,
    commitment text not null,
    opened_at timestamptz not null,
    closed_at timestamptz,
    primary key (automation_id, round))`,

  // Lines of the chain that are not draws. \`after_number\`: the last draw before the line.
  `create table wheel_entries (
    id bigint generated always as identity,
    automation_id uuid not null references wheel_draws (automation_id) on delete cascade,
    after_number bigint not null,
    line text not null,
    hash bytea not null,
    primary key (automation_id, after_number, id))`,

  `alter table prize_wheel_participations
    add column number bigint, add column round integer, add column prize_id text, add column prize_type text, add column prize_message text,
    add column code text, add column spin_key_hash bytea, add column salt bytea, add column handle_digest bytea, add column entry_hash bytea,
    add column consent jsonb, add column state text not null default 'won', add column blocks boolean not null default true,
    add constraint participations_state check (state in ('won', 'delivered', 'expired', 'voided'))`,
  `create unique index participations_by_number on prize_wheel_participations (automation_id, number)`,
  `create unique index participations_by_code on prize_wheel_participations (code)`,
  // A prize that was taken back may free its handle for another spin.
  `create unique index participations_one_per_handle_that_blocks on prize_wheel_participations (automation_id, instagram_handle) where blocks`,
  `alter table prize_wheel_participations drop constraint participations_one_per_handle`,
];

export class DrawPrizes1764800000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query(`delete from prize_wheel_participations where not blocks`);
    await query.query(`drop index participations_one_per_handle_that_blocks, participations_by_code, participations_by_number`);
    await query.query(
      `alter table prize_wheel_participations add constraint participations_one_per_handle unique (automation_id, instagram_handle),
        drop column number, drop column round, drop column prize_id, drop column prize_type, drop column prize_message, drop column code,
        drop column spin_key_hash, drop column salt, drop column handle_digest, drop column entry_hash, drop column consent, drop column state,
        drop column blocks`,
    );
    await query.query('drop table wheel_entries, wheel_rounds, wheel_prizes, wheel_draws');
  }
}
