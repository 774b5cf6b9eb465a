import type { MigrationClass } from '@decola/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

class CreateOutboxAndInbox1700000000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query(`create table outbox (
      position bigint generated always as identity primary key,
      id uuid not null unique,
      kind text not null check (kind in ('event', 'job')),
      queue text,
      type text not null,
      version integer not null,
      subject text not null,
      payload jsonb not null,
      traceparent text,
      created_at timestamptz not null default clock_timestamp(),
      sent_at timestamptz,
      constraint outbox_job_has_queue check ((kind = 'job') = (queue is not null)))`);
    await query.query('create index outbox_pending on outbox (position) where sent_at is null');
    await query.query('create index outbox_sent on outbox (sent_at) where sent_at is not null');
    // PostgreSQL sends equal notifications once per transaction, so a transaction wakes the relay only once, however many messages it adds.
    await query.query(`create function outbox_announce() returns trigger language plpgsql as $$
      begin perform pg_notify('outbox_' || tg_table_schema, ''); return null; end $$`);
    await query.query('create trigger outbox_announce after insert on outbox for each statement execute function outbox_announce()');
    await query.query(`create table inbox (
      message_id uuid not null,
      consumer text not null,
      received_at timestamptz not null default now(),
      primary key (message_id, consumer))`);
    await query.query('create index inbox_received on inbox (received_at)');
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table inbox');
    await query.query('drop table outbox');
    await query.query('drop function outbox_announce');
  }
}

/**
 * Triggers that announce changes insert no row when nobody sees the change, and a statement that found nothing to change fires them too. Such an
 * insert woke the relay, many times a second on a system at rest.
 */
class AnnounceAddedMessages1765120000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query(`create or replace function outbox_announce() returns trigger language plpgsql as $$ begin
      if exists (select from added) then perform pg_notify('outbox_' || tg_table_schema, ''); end if;
      return null; end $$`);
    await query.query(`create or replace trigger outbox_announce after insert on outbox referencing new table as added
      for each statement execute function outbox_announce()`);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query(`create or replace function outbox_announce() returns trigger language plpgsql as $$
      begin perform pg_notify('outbox_' || tg_table_schema, ''); return null; end $$`);
    await query.query(
      'create or replace trigger outbox_announce after insert on outbox for each statement execute function outbox_announce()',
    );
  }
}

/** Creates the tables of the outbox and the inbox; first in the migrations of every service that publishes or listens. */
export const messagingMigrations: readonly MigrationClass[] = [CreateOutboxAndInbox1700000000000, AnnounceAddedMessages1765120000000];
