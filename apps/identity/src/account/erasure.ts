import { userDeleted } from '@decola/contracts';
import { forgetMessages, type Outbox } from '@decola/messaging';
import type { EntityManager } from 'typeorm';
import { recordSecurityEvent } from './security-events.js';

/**
 * Ends a person's account in the caller's transaction: everything that identity holds goes, their sessions with it, and `user.deleted` makes
 * every other service do the same. That an account was erased, and when, stays without saying whose.
 * @returns false when there is no such person (any more).
 */
export async function eraseAccount(manager: EntityManager, outbox: Outbox, userId: string, now: Date): Promise<boolean> {
  // Whoever signs in or writes at this moment waits here, and finds nobody afterwards.
  const people = await manager.query<{ id: string }[]>('select id from users where id = $1 for update', [userId]);
  if (people.length === 0) return false;
  await forgetMessages(manager, [userId]);
  // Identities, sessions, tokens, factors, profile, roles and history go with the row they belong to.
  await manager.query('delete from users where id = $1', [userId]);
  await recordSecurityEvent(manager, null, 'account.erased', { ip: null, userAgent: null }, now);
  await outbox.add(manager, userDeleted, { userId, deletedAt: now.toISOString() }, { subject: userId });
  return true;
}
