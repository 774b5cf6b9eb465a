import { userDeleted } from '@decola/contracts';
import { forgetMessages, type Outbox } from '@decola/messaging';
import type { EntityManager } from 'typeorm';
import type { MailQueue } from '../mail/mail-queue.js';
import { recordSecurityEvent } from './security-events.js';

/**
 * Ends a person's account in the caller's transaction: everything that identity holds goes, their sessions with it, and `user.deleted` makes
 * every other service do the same. That an account was erased, and when, stays without saying whose. A last mail tells the person; it waits
 * sealed, a day at most, and its row is all that is left of their address.
 * @returns false when there is no such person (any more).
 */
export async function eraseAccount(
  manager: EntityManager,
  { outbox, mails }: { outbox: Pick<Outbox, 'add'>; mails: Pick<MailQueue, 'add'> },
  userId: string,
  now: Date,
): Promise<boolean> {
  // Whoever signs in or writes at this moment waits here, and finds nobody afterwards.
  const [person] = await manager.query<{ email: string; email_confirmed_at: Date | null }[]>(
    'select email, email_confirmed_at from users where id = $1 for update',
    [userId],
  );
  if (!person) return false;
  await forgetMessages(manager, [userId]);
  // Identities, sessions, tokens, factors, profile, roles, history and waiting mails go with the row they belong to.
  await manager.query('delete from users where id = $1', [userId]);
  await recordSecurityEvent(manager, null, 'account.erased', { ip: null, userAgent: null }, now);
  await outbox.add(manager, userDeleted, { userId, deletedAt: now.toISOString() }, { subject: userId });
  // An address that was never confirmed may be a stranger's.
  if (person.email_confirmed_at) await mails.add(manager, null, { to: person.email, kind: 'account_erased', link: null, code: null });
  return true;
}
