import type { EntityManager } from 'typeorm';
import { recordSecurityEvent } from '../account/security-events.js';
import type { MailQueue } from '../mail/mail-queue.js';
import type { UserRecord } from '../users/user.view.js';

/**
 * Takes all second factors from somebody who lost theirs, in the caller's transaction. Every session ends, the person's history says so, and a mail
 * tells them, so that nobody is stripped of a factor unnoticed.
 * @returns false when there is none.
 */
export async function removeFactors(
  manager: EntityManager,
  mails: Pick<MailQueue, 'add'>,
  { id, email }: Pick<UserRecord, 'id' | 'email'>,
  now: Date,
): Promise<boolean> {
  // Enrolments and codes of this person wait here.
  await manager.query('select 1 from users where id = $1 for update', [id]);
  const verified = await manager.query<unknown[]>(`select 1 from factors where user_id = $1 and status = 'verified' limit 1`, [id]);
  if (verified.length === 0) return false;
  await manager.query('delete from factors where user_id = $1', [id]);
  const [, ended] = await manager.query<[unknown, number]>('delete from sessions where user_id = $1', [id]);
  const byOperator = { ip: null, userAgent: null };
  await recordSecurityEvent(manager, id, 'factor.removed', byOperator, now);
  if (ended > 0) await recordSecurityEvent(manager, id, 'session.ended', byOperator, now);
  await mails.add(manager, id, { to: email, kind: 'factor_removed_notice', link: null, code: null });
  return true;
}
