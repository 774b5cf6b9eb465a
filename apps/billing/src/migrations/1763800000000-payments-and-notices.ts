import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PaymentsAndNotices1763800000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    // Only amounts and ids, because rows are kept for the fiscal period, also after an erasure.
    await query.query(`create table payments (
      invoice_id text primary key,
      user_id uuid not null,
      stripe_subscription_id text not null,
      plan_key text not null references subscription_plans (key),
      amount integer not null check (amount > 0),
      period_start timestamptz not null,
      period_end timestamptz not null,
      paid_at timestamptz not null,
      refunded_at timestamptz)`);
    await query.query('create index payments_subscription on payments (stripe_subscription_id)');
    await query.query(`create table notices (
      key text primary key,
      user_id uuid not null,
      told_at timestamptz not null default now())`);
    await query.query('create index notices_user on notices (user_id)');
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table notices');
    await query.query('drop table payments');
  }
}
