import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  `create table users (
    id uuid primary key default gen_random_uuid(),
    email text not null,
    password_hash text,
    email_confirmed_at timestamptz,
    confirmation_sent_at timestamptz,
    recovery_sent_at timestamptz,
    reauthentication_sent_at timestamptz,
    new_email text,
    email_change_sent_at timestamptz,
    user_metadata jsonb not null default '{}',
    last_sign_in_at timestamptz,
    banned_until timestamptz,
    created_at timestamptz not null default clock_timestamp(),
    updated_at timestamptz not null default clock_timestamp(),
    constraint users_email_once unique (email),
    constraint users_email_is_lower check (email = lower(email)))`,
  `create table identities (
    identity_id uuid primary key default gen_random_uuid(),
    user_id uuid not null references users (id) on delete cascade,
    provider text not null,
    provider_id text not null,
    identity_data jsonb not null,
    last_sign_in_at timestamptz,
    created_at timestamptz not null default clock_timestamp(),
    updated_at timestamptz not null default clock_timestamp(),
    constraint identities_once unique (provider, provider_id))`,
  'create index identities_by_user on identities (user_id)',
  // A refresh token consists of the session's id, a counter and a MAC under the session's key, so none is stored.
  `create table sessions (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references users (id) on delete cascade,
    aal text not null default 'aal1' check (aal in ('aal1', 'aal2')),
    amr jsonb not null default '[]',
    refresh_key bytea not null,
    refresh_counter integer not null default 0,
    refreshed_at timestamptz not null default clock_timestamp(),
    created_at timestamptz not null default clock_timestamp(),
    user_agent text,
    ip text)`,
  'create index sessions_by_user on sessions (user_id)',
  `create table one_time_tokens (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references users (id) on delete cascade,
    purpose text not null check (purpose in ('signup', 'recovery', 'magiclink', 'email_change', 'reauthentication')),
    token_digest bytea not null,
    email text not null,
    code_challenge text,
    code_challenge_method text,
    created_at timestamptz not null default clock_timestamp(),
    constraint one_time_tokens_one_of_a_kind unique (user_id, purpose))`,
  'create index one_time_tokens_by_digest on one_time_tokens (token_digest)',
  `create table auth_codes (
    code_digest bytea primary key,
    user_id uuid not null references users (id) on delete cascade,
    method text not null,
    code_challenge text not null,
    code_challenge_method text not null,
    created_at timestamptz not null default clock_timestamp())`,
  `create table security_events (
    id bigint generated always as identity primary key,
    user_id uuid references users (id) on delete cascade,
    kind text not null,
    ip text,
    user_agent text,
    at timestamptz not null default clock_timestamp())`,
  'create index security_events_by_user on security_events (user_id, at desc)',
  // A copy of billing's catalogue for joins with profiles, kept current by subscription.changed.
  `create table subscription_plans (
    id uuid primary key,
    key text not null,
    name text not null,
    max_slots integer not null)`,
  `create table profiles (
    user_id uuid primary key references users (id) on delete cascade,
    full_name text,
    subscription_status text,
    subscription_end timestamptz,
    last_subscription_check timestamptz,
    current_plan_id uuid references subscription_plans (id),
    subscription_sequence bigint not null default 0,
    created_at timestamptz not null default clock_timestamp(),
    updated_at timestamptz not null default clock_timestamp(),
    constraint profiles_full_name_length check (length(full_name) <= 200))`,
  `create table user_roles (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references users (id) on delete cascade,
    role text not null check (role ~ '^[a-z_]{2,40}$'),
    created_at timestamptz not null default clock_timestamp(),
    constraint user_roles_once unique (user_id, role))`,
];

export class CreateIdentity1763700000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    for (const table of [
      'user_roles',
      'profiles',
      'subscription_plans',
      'security_events',
      'auth_codes',
      'one_time_tokens',
      'sessions',
      'identities',
      'users',
    ])
      await query.query(`drop table ${table}`);
  }
}
