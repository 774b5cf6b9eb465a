import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the moment when a mail to the account's address was first answered. Existing accounts get it when it is known: a change of address was
 * confirmed, a link or code was used, or the address was confirmed after the sign-up (one that is confirmed at sign-up has the time of the row).
 * All others prove it with their next mail.
 */
export class MailboxProof1764300000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query(
      'alter table users add column mailbox_proven_at timestamptz, add column password_disputed boolean not null default false',
    );
    await query.query(`update users u set mailbox_proven_at = p.at from (
        select user_id, coalesce(max(at) filter (where kind = 'email.changed'), min(at)) as at
        from security_events where kind in ('email.changed', 'recovery.used', 'sign_in.otp') group by user_id) p
      where p.user_id = u.id`);
    await query.query(
      `update users set mailbox_proven_at = email_confirmed_at where mailbox_proven_at is null and email_confirmed_at > created_at`,
    );
    // A factor needs a proven mailbox now, so unverified ones of other accounts are removed.
    await query.query(
      `delete from factors f using users u where u.id = f.user_id and f.status <> 'verified' and u.mailbox_proven_at is null`,
    );
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('alter table users drop column mailbox_proven_at, drop column password_disputed');
  }
}
