import type { MigrationClass } from '@decola/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

class CreateMailOutbox1700000001000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query(`create table mail_outbox (
      id uuid primary key,
      user_id uuid,
      kind text not null,
      sealed text not null,
      tries integer not null default 0,
      due_at timestamptz not null default clock_timestamp(),
      created_at timestamptz not null default clock_timestamp())`);
    await query.query('create index mail_outbox_by_due on mail_outbox (due_at)');
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table mail_outbox');
  }
}

/**
 * The table of queued mails. A service that sends mails puts this first in its migrations, and calls `deleteQueuedMails` when it erases a person.
 * Identity has the same table by migrations of its own, with a foreign key to its users.
 */
export const mailerMigrations: readonly MigrationClass[] = [CreateMailOutbox1700000001000];
