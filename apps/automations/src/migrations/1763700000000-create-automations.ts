import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // Slots of a customer's plan, copied from subscription.changed. Counting slots locks this row.
  `create table entitlements (
    user_id uuid primary key,
    max_slots integer not null default 0 check (max_slots >= 0),
    sequence bigint not null default 0,
    slots_sequence bigint not null default 0,
    erased_at timestamptz)`,

  // An account of the network, shared by all customers who use it: pauses, fencing token of its lease and, under its key, ledger and usage.
  `create table network_accounts (
    account_key text primary key,
    first_seen_at timestamptz not null,
    username text,
    fencing_token bigint not null default 0,
    paused_cause text,
    paused_since timestamptz,
    paused_until timestamptz,
    paused_resumes boolean not null default true,
    session_needed_cause text,
    session_needed_since timestamptz,
    last_block_at timestamptz,
    constraint network_accounts_pause_has_cause check ((paused_since is null) = (paused_cause is null)))`,

  // Past stop signals: repetitions lengthen the next pause.
  `create table account_stops (
    id bigint generated always as identity primary key,
    account_key text not null,
    class text not null,
    run_id uuid not null,
    action text,
    at timestamptz not null,
    constraint account_stops_once_per_run unique (run_id))`,
  `create index account_stops_by_account on account_stops (account_key, class, at)`,

  // One paused action of one account, while the others go on.
  `create table account_action_pauses (
    account_key text not null,
    action text not null,
    cause text not null,
    since timestamptz not null,
    until timestamptz not null,
    primary key (account_key, action))`,

  // A kind of run that is paused for everybody, because the network changed a page.
  `create table kind_pauses (
    kind text primary key,
    cause text not null,
    since timestamptz not null,
    until timestamptz not null)`,

  // Sealed sessions. Clients write the column cookies, which is always stored as null.
  `create table instagram_sessions (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    session_id text not null default gen_random_uuid()::text,
    cookies jsonb,
    username text,
    is_active boolean not null default true,
    created_at timestamptz not null default now(),
    account_key text references network_accounts (account_key),
    network_user_id text,
    envelope text,
    ended_at timestamptz,
    ended_cause text,
    constraint instagram_sessions_cookies_are_sealed check (cookies is null))`,
  `create unique index instagram_sessions_one_active on instagram_sessions (user_id, account_key) where is_active`,
  `create index instagram_sessions_by_account on instagram_sessions (account_key)`,

  `create table automations (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    name text not null,
    type text not null,
    configuration jsonb not null default '{}',
    is_draft boolean not null default false,
    is_active boolean not null default true,
    last_run_at timestamptz,
    next_run_at timestamptz,
    created_at timestamptz not null default clock_timestamp(),
    updated_at timestamptz not null default clock_timestamp(),
    revision bigint not null default 1,
    account_key text references network_accounts (account_key),
    run_kind text,
    frequency_ms bigint,
    run_count integer not null default 0,
    next_is_interactive boolean not null default true,
    remaining_budget integer,
    interruptions integer not null default 0,
    hold_code text,
    hold_reason text,
    pause_cause text,
    pause_reason text,
    pause_since timestamptz,
    pause_until timestamptz,
    pause_resumes boolean not null default false,
    completed_at timestamptz,
    completed_reason text,
    last_run jsonb,
    constraint automations_type check (type in ('auto-follow-unfollow', 'auto-like', 'auto-comment', 'auto-dm-sender', 'prize-extractor',
      'followers-following-extractor', 'post-interactions-extractor', 'mass-story-viewer')),
    constraint automations_draft_is_off check (not (is_draft and is_active)),
    constraint automations_no_cookie check (not (configuration ? 'sessionCookie') and not (configuration ? 'cookies')))`,
  `create index automations_by_owner on automations (user_id, created_at desc)`,
  `create index automations_due on automations (next_run_at) where is_active and next_run_at is not null`,
  `create index automations_by_account on automations (account_key) where account_key is not null`,
  `create index automations_to_resume on automations (pause_until) where pause_resumes and pause_until is not null`,

  // Where an extraction stands: the network's own cursor, stored after every page.
  `create table extraction_progress (
    automation_id uuid primary key references automations (id) on delete cascade,
    extracted_data_id uuid not null unique,
    cursor text,
    pass integer not null default 1,
    next_page integer not null default 0,
    profile_total integer,
    collected integer not null default 0,
    awaits_verdict boolean not null default false)`,

  `create table blog_automations (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    theme text,
    keyword text not null,
    webhook_url text,
    schedule_type text not null default 'weekly',
    schedule_time text not null default '09:00',
    schedule_day integer,
    schedule_days integer[],
    categories text,
    next_generation_at timestamptz,
    is_active boolean not null default true,
    last_generated_at timestamptz,
    created_at timestamptz not null default clock_timestamp(),
    updated_at timestamptz not null default clock_timestamp(),
    origin text not null default 'customer',
    published_at timestamptz,
    pause_cause text,
    pause_reason text,
    constraint blog_automations_origin check (origin in ('customer', 'editorial')),
    constraint blog_automations_schedule_type check (schedule_type in ('daily', 'weekly', 'monthly')),
    constraint blog_automations_schedule_day check (schedule_day between 1 and 31),
    constraint blog_automations_schedule_days check (schedule_days <@ array[0,1,2,3,4,5,6]))`,
  `create index blog_automations_by_owner on blog_automations (user_id, created_at desc)`,
  `create index blog_automations_due on blog_automations (next_generation_at) where is_active`,

  `create table runs (
    id uuid primary key,
    automation_id uuid not null,
    automation_type text not null,
    user_id uuid not null,
    account_key text not null,
    session_id uuid not null,
    kind text not null,
    queue text not null,
    plan jsonb not null,
    budget integer not null,
    state text not null default 'queued',
    outcome text,
    stop jsonb,
    reason text,
    fencing_token bigint,
    worker_id text,
    queued_at timestamptz not null,
    expires_at timestamptz not null,
    started_at timestamptz,
    seen_at timestamptz,
    finished_at timestamptz,
    tried integer not null default 0,
    confirmed integer not null default 0,
    skipped integer not null default 0,
    pages integer not null default 0,
    constraint runs_state check (state in ('queued', 'running', 'finished', 'abandoned')))`,
  // Prevents two open runs of one account.
  `create unique index runs_one_open_per_account on runs (account_key) where state in ('queued', 'running')`,
  `create index runs_by_automation on runs (automation_id, queued_at desc)`,
  `create index runs_by_owner on runs (user_id, queued_at desc)`,
  `create index runs_silent on runs (coalesce(seen_at, expires_at)) where state in ('queued', 'running')`,

  // The ledger: an account does the same action to a person only once, from whichever automation.
  `create table account_actions (
    id uuid primary key,
    account_key text not null,
    action text not null,
    target_id text not null,
    target_username text not null,
    state text not null,
    skip_reason text,
    proof jsonb,
    user_id uuid,
    automation_id uuid,
    run_id uuid not null,
    reserved_at timestamptz not null,
    settled_at timestamptz,
    constraint account_actions_once unique (account_key, action, target_id),
    constraint account_actions_state check (state in ('reserved', 'confirmed', 'requested', 'not_confirmed', 'refused', 'skipped')))`,
  `create index account_actions_usage on account_actions (account_key, action, reserved_at)`,
  `create index account_actions_open on account_actions (account_key) where state = 'reserved'`,
  `create index account_actions_by_run on account_actions (run_id)`,

  // People who must never be unfollowed.
  `create table keep_list (
    account_key text not null,
    target_id text not null,
    primary key (account_key, target_id))`,

  // Pages of lists that an account read, in buckets of five minutes.
  `create table account_pages (
    account_key text not null,
    bucket timestamptz not null,
    pages integer not null,
    primary key (account_key, bucket))`,

  // The diary of actions as the customer reads it: one row for each person.
  `create table run_diary (
    id uuid primary key default gen_random_uuid(),
    automation_id uuid,
    user_id uuid not null,
    run_id uuid not null,
    reservation_id uuid,
    action text not null,
    target_id text not null,
    target_username text not null,
    outcome text not null,
    skip_reason text,
    proof jsonb not null,
    settled boolean not null,
    at timestamptz not null)`,
  `create index run_diary_by_automation on run_diary (automation_id, at desc)`,
  `create index run_diary_by_owner on run_diary (user_id, at desc)`,
];

const tables = [
  'run_diary',
  'account_pages',
  'keep_list',
  'account_actions',
  'runs',
  'blog_automations',
  'extraction_progress',
  'automations',
  'instagram_sessions',
  'kind_pauses',
  'account_action_pauses',
  'account_stops',
  'network_accounts',
  'entitlements',
];

export class CreateAutomations1763700000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    for (const table of tables) await query.query(`drop table ${table}`);
  }
}
