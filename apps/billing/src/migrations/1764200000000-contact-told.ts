import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds a digest of the contact last sent to Stripe, so that an event that changes neither address nor name sends nothing. */
export class ContactTold1764200000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query(`alter table billing_accounts
      add column contact_told text,
      add constraint billing_accounts_told_erased check (deleted_at is null or contact_told is null)`);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('alter table billing_accounts drop column contact_told');
  }
}
