import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // last_step is the time step of the last accepted code, so that no code is accepted twice.
  `create table factors (
    id uuid primary key,
    user_id uuid not null references users (id) on delete cascade,
    factor_type text not null default 'totp',
    friendly_name text not null default '',
    status text not null default 'unverified',
    sealed_secret text not null,
    last_step bigint not null default 0,
    last_challenged_at timestamptz,
    created_at timestamptz not null default clock_timestamp(),
    updated_at timestamptz not null default clock_timestamp(),
    constraint factors_name_once unique (user_id, friendly_name),
    constraint factors_name_is_bounded check (length(friendly_name) <= 100),
    constraint factors_known_type check (factor_type = 'totp'),
    constraint factors_known_status check (status in ('unverified', 'verified')))`,
  `create table factor_challenges (
    id uuid primary key default gen_random_uuid(),
    factor_id uuid not null references factors (id) on delete cascade,
    ip text,
    verified_at timestamptz,
    created_at timestamptz not null,
    constraint factor_challenges_origin_is_bounded check (length(ip) <= 64))`,
  'create index factor_challenges_by_factor on factor_challenges (factor_id)',
  // refresh_floor: refresh tokens with a lower counter are void, because they were issued before the session reached aal2.
  `alter table sessions
    add column factor_id uuid references factors (id) on delete set null,
    add column refresh_floor integer not null default 0`,
  'create index sessions_by_factor on sessions (factor_id)',
];

export class CreateFactors1763810000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('alter table sessions drop column factor_id, drop column refresh_floor');
    for (const table of ['factor_challenges', 'factors']) await query.query(`drop table ${table}`);
  }
}
