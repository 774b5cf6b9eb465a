import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // Existing codes have a digest without a key, which could be reversed by trying all codes. They live an hour at most.
  'delete from one_time_tokens',
  `alter table one_time_tokens
    add column code_digest bytea not null,
    add column wrong_tries integer not null default 0`,
  `create index one_time_tokens_by_email on one_time_tokens (email, purpose)`,
  // The queue of libs/mailer, with a foreign key that deletes a person's mails.
  `create table mail_outbox (
    id uuid primary key,
    user_id uuid not null references users (id) on delete cascade,
    kind text not null,
    sealed text not null,
    tries integer not null default 0,
    due_at timestamptz not null default clock_timestamp(),
    created_at timestamptz not null default clock_timestamp())`,
  'create index mail_outbox_by_due on mail_outbox (due_at)',
  `alter table subscription_plans add column told_at timestamptz not null default '-infinity'`,
];

export class QueueMails1763820000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('alter table subscription_plans drop column told_at');
    await query.query('drop table mail_outbox');
    await query.query('alter table one_time_tokens drop column code_digest, drop column wrong_tries');
  }
}
