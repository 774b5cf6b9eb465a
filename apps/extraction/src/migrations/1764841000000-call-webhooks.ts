import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // One per wheel. `ended`: the address answered 410. `calls`: what its owner sent by hand in the minute since `calls_since`.
  `create table lead_webhooks (
    automation_id uuid primary key references automations (automation_id) on delete cascade,
    user_id uuid not null,
    url text not null,
    secret_sealed text not null,
    state text not null default 'active',
    calls integer not null default 0,
    calls_since timestamptz not null default clock_timestamp(),
    created_at timestamptz not null,
    constraint lead_webhooks_known_state check (state in ('active', 'ended')))`,
  `create index lead_webhooks_by_owner on lead_webhooks (user_id)`,

  // What is told to a webhook, without its body: that is composed from the lead when it is sent, so that nothing of an erased lead is left here.
  // The id is `webhook-id` of every attempt.
  `create table webhook_deliveries (
    id text primary key,
    automation_id uuid not null references lead_webhooks (automation_id) on delete cascade,
    event text not null,
    participation_id uuid,
    number integer,
    at timestamptz not null,
    status text not null default 'waiting',
    attempts integer not null default 0,
    http_status integer,
    failure text,
    next_attempt_at timestamptz,
    created_at timestamptz not null,
    constraint webhook_deliveries_known_status check (status in ('waiting', 'delivered', 'failed', 'canceled')),
    constraint webhook_deliveries_waiting_has_time check ((status = 'waiting') = (next_attempt_at is not null)))`,
  // An event that is published twice is told once.
  `create unique index webhook_deliveries_once on webhook_deliveries (participation_id, event, at) where participation_id is not null`,
  `create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where status = 'waiting'`,
  `create index webhook_deliveries_newest on webhook_deliveries (automation_id, created_at desc)`,
];

export class CallWebhooks1764841000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table webhook_deliveries, lead_webhooks');
  }
}
