import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ContactOfAccount1763900000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query(`alter table billing_accounts
      add column contact_email text,
      add column contact_at timestamptz,
      add constraint billing_accounts_contact_since check ((contact_email is null) = (contact_at is null)),
      add constraint billing_accounts_contact_erased check (deleted_at is null or contact_email is null)`);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('alter table billing_accounts drop column contact_email, drop column contact_at');
  }
}
