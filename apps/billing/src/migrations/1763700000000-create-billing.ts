import type { MigrationInterface, QueryRunner } from 'typeorm';
import { plans } from '../catalogue/plans.js';

export class CreateBilling1763700000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query(`create table billing_accounts (
      user_id uuid primary key,
      stripe_customer_id text,
      livemode boolean not null,
      sequence bigint not null default 0,
      published jsonb,
      published_at timestamptz,
      next_boundary_at timestamptz,
      created_at timestamptz not null default now(),
      deleted_at timestamptz,
      constraint billing_accounts_stripe_customer_key unique (stripe_customer_id))`);
    await query.query('create index billing_accounts_boundary on billing_accounts (next_boundary_at) where next_boundary_at is not null');
    await query.query(`create table subscription_plans (
      id uuid primary key,
      key text not null,
      name text not null,
      description text not null,
      max_slots integer not null,
      price_cents integer not null,
      features text[] not null,
      is_popular boolean not null default false,
      trial_days integer not null default 0,
      position integer not null,
      constraint subscription_plans_key unique (key))`);
    await query.query(`create table plan_prices (
      stripe_price_id text primary key,
      plan_key text not null references subscription_plans (key),
      unit_amount integer not null,
      active boolean not null)`);
    await query.query('create unique index plan_prices_one_active on plan_prices (plan_key) where active');
    await query.query(`create table portal_configurations (
      app_key text primary key,
      configuration_id text not null)`);
    await query.query(`create table slot_usage (
      user_id uuid primary key,
      used integer not null,
      sequence bigint not null)`);
    await query.query(`create table billing_subscriptions (
      stripe_subscription_id text primary key,
      user_id uuid not null,
      stripe_customer_id text not null,
      plan_key text not null references subscription_plans (key),
      stripe_price_id text not null,
      status text not null,
      started_at timestamptz not null,
      period_start timestamptz not null,
      period_end timestamptz not null,
      trial_end timestamptz,
      cancel_at timestamptz,
      cancel_at_period_end boolean not null,
      canceled_at timestamptz,
      ended_at timestamptz,
      unpaid_since timestamptz,
      paused_since timestamptz,
      paused_for_payment boolean not null default false,
      collection_paused boolean not null,
      collection_method text not null,
      ends_by_schedule boolean not null default false,
      ever_paid boolean not null,
      latest_invoice_id text,
      fetched_at timestamptz not null)`);
    await query.query('create index billing_subscriptions_user on billing_subscriptions (user_id)');
    await query.query(`create unique index billing_subscriptions_one_live on billing_subscriptions (user_id)
      where status in ('trialing', 'active', 'past_due', 'unpaid', 'paused')`);
    await query.query(`create table subscriptions (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null,
      constraint subscriptions_user_key unique (user_id))`);
    await query.query(`create table checkout_intents (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null,
      plan_key text not null,
      stripe_price_id text not null,
      trial boolean not null,
      email_hash text not null,
      stripe_session_id text,
      url text,
      expires_at timestamptz not null,
      status text not null default 'open' check (status in ('open', 'completed', 'expired', 'superseded')),
      created_at timestamptz not null default now())`);
    await query.query(`create unique index checkout_intents_one_open on checkout_intents (user_id) where status = 'open'`);
    await query.query(`create table change_intents (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null,
      from_price text not null,
      to_price text not null,
      proration_date bigint not null,
      status text not null default 'pending' check (status in ('pending', 'applied', 'refused')),
      created_at timestamptz not null default now())`);
    await query.query(`create unique index change_intents_one_pending on change_intents (user_id) where status = 'pending'`);
    await query.query(`create table trial_grants (
      user_id uuid primary key,
      email_hash text,
      card_hash text,
      granted_at timestamptz not null default now())`);
    await query.query('create index trial_grants_email on trial_grants (email_hash)');
    await query.query('create index trial_grants_card on trial_grants (card_hash)');
    await query.query(`create table stripe_events (
      event_id text primary key,
      type text not null,
      created timestamptz not null,
      livemode boolean not null,
      api_version text,
      body jsonb,
      status text not null default 'received' check (status in ('received', 'done', 'ignored', 'failed')),
      attempts integer not null default 0,
      error text,
      received_at timestamptz not null default now(),
      processed_at timestamptz)`);
    await query.query('create table reconciliation_cursors (name text primary key, position bigint not null)');
    for (const [position, plan] of plans.entries())
      await query.query(
        `insert into subscription_plans (id, key, name, description, max_slots, price_cents, features, is_popular, trial_days, position)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          plan.id,
          plan.key,
          plan.name,
          plan.description,
          plan.maxSlots,
          plan.priceCents,
          plan.features,
          plan.isPopular,
          plan.trialDays,
          position,
        ],
      );
  }

  async down(query: QueryRunner): Promise<void> {
    for (const table of [
      'reconciliation_cursors',
      'stripe_events',
      'trial_grants',
      'change_intents',
      'checkout_intents',
      'subscriptions',
      'billing_subscriptions',
      'slot_usage',
      'portal_configurations',
      'plan_prices',
      'subscription_plans',
      'billing_accounts',
    ])
      await query.query(`drop table ${table}`);
  }
}
