import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The mail about an erasure is sent after its user is deleted, so it has no user id. */
export class FarewellMails1763830000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query('alter table mail_outbox alter column user_id drop not null');
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('delete from mail_outbox where user_id is null');
    await query.query('alter table mail_outbox alter column user_id set not null');
  }
}
