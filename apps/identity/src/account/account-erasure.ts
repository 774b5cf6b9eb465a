import { userDeleted } from '@decola/contracts';
import { rowOf } from '@decola/database';
import type { MailQueue } from '@decola/mailer';
import { deleteOutboxMessagesAbout, type Outbox } from '@decola/messaging';
import type { EntityManager } from 'typeorm';
import type { IdentityMail } from '../mails/identity-mail.js';
import { recordSecurityEvent } from '../security-events/security-events.service.js';

/**
 * Erases an account in the caller's transaction: deletes everything that identity stores about the person, and publishes `user.deleted`,
 * which makes every other service do the same. A security event without a person records that an account was erased, and when. The last
 * mail waits encrypted for a day at most; its row is all that is left of the address.
 * @returns false when there is no such account (any more)
 */
export async function eraseAccount(
  manager: EntityManager,
  { outbox, mails }: { outbox: Pick<Outbox, 'add'>; mails: Pick<MailQueue<IdentityMail>, 'add'> },
  userId: string,
  now: Date,
): Promise<boolean> {
  // Sign-ins and changes at this moment wait for this lock, and find no account afterwards.
  const person = await rowOf<{ email: string; email_confirmed_at: Date | null }>(
    manager,
    'select email, email_confirmed_at from users where id = $1 for update',
    [userId],
  );
  if (!person) return false;
  await deleteOutboxMessagesAbout(manager, [userId]);
  // Foreign keys delete identities, sessions, tokens, factors, profile, roles, security events and queued mails with it.
  await manager.query('delete from users where id = $1', [userId]);
  await recordSecurityEvent(manager, null, 'account.erased', { ip: null, userAgent: null }, now);
  await outbox.add(manager, userDeleted, { userId, deletedAt: now.toISOString() }, { subject: userId });
  // An unconfirmed address may belong to somebody else.
  if (person.email_confirmed_at) await mails.add(manager, null, { to: person.email, kind: 'account_erased', link: null, code: null });
  return true;
}
