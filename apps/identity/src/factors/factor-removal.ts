import { changedRows, rowsOf } from '@decola/database';
import type { EntityManager } from 'typeorm';
import { recordSecurityEvent } from '../security-events/security-events.service.js';
import type { MailQueue } from '@decola/mailer';
import type { IdentityMail } from '../mails/identity-mail.js';
import type { UserRecord } from '../users/user.view.js';

/**
 * Removes all second factors of a person who lost them, in the caller's transaction. Ends every session, records it and queues a mail, so
 * that no removal goes unnoticed.
 * @returns false when the person has no verified factor
 */
export async function removeFactors(
  manager: EntityManager,
  mails: Pick<MailQueue<IdentityMail>, 'add'>,
  { id, email }: Pick<UserRecord, 'id' | 'email'>,
  now: Date,
): Promise<boolean> {
  // Enrolments and codes of this person take the same lock.
  await manager.query('select 1 from users where id = $1 for update', [id]);
  const verified = await rowsOf<unknown>(manager, `select 1 from factors where user_id = $1 and status = 'verified' limit 1`, [id]);
  if (verified.length === 0) return false;
  await manager.query('delete from factors where user_id = $1', [id]);
  const ended = await changedRows(manager, 'delete from sessions where user_id = $1', [id]);
  const byOperator = { ip: null, userAgent: null };
  await recordSecurityEvent(manager, id, 'factor.removed', byOperator, now);
  if (ended > 0) await recordSecurityEvent(manager, id, 'session.ended', byOperator, now);
  await mails.add(manager, id, { to: email, kind: 'factor_removed_notice', link: null, code: null });
  return true;
}
