import type { NoticeCause, Notices } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';
import type { IdentityMail } from './identity-mail.js';

/** Whether the recipient still wants a mail, at the moment of sending. Mails about the account itself and about payments cannot be switched off. */
export async function isWanted(db: Database, { notice }: Pick<IdentityMail, 'notice'>): Promise<boolean> {
  if (!notice) return true;
  const row = await rowOf<{ notices: Notices }>(db, 'select notices from profiles where user_id = $1', [notice.userId]);
  // A cause that the stored choices do not know yet is one that nobody has switched off.
  return row !== undefined && (row.notices as Partial<Notices>)[notice.cause] !== false;
}

/** Stops one kind of mail. Does nothing for people who were erased, or who stopped it before. */
export async function stopNotices(db: Database, userId: string, cause: NoticeCause, now: Date): Promise<void> {
  await db.query(
    `update profiles set notices = notices || jsonb_build_object($2::text, false), updated_at = $3
     where user_id = $1 and notices ->> $2 is distinct from 'false'`,
    [userId, cause, now],
  );
}
