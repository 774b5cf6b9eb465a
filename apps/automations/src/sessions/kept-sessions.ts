import { type Database, rowsOf } from '@decola/database';
import { afterResolvedMs } from '../accounts/session-stops.js';
import { ownerCauses } from '../safety/stops.js';

/** A sealed session that a visit has to check. */
export interface KeptSession {
  id: string;
  user_id: string;
  account_key: string;
  network_user_id: string;
  envelope: string;
}

/**
 * Activates the kept sessions of customers who said an hour ago that they resolved the stop. They are held until a visit finds them good. A
 * session that the customer has given since takes precedence.
 */
export async function activateResolved(db: Database, now: Date): Promise<KeptSession[]> {
  const ready = await rowsOf<{ account_key: string; user_id: string }>(
    db,
    `select c.account_key, c.user_id from instagram_accounts c join network_accounts a using (account_key)
     where c.resolved_at <= $1 and (a.paused_until is null or a.paused_until <= $2)
       and not exists (select 1 from instagram_sessions s where s.user_id = c.user_id and s.account_key = c.account_key and s.is_active)
       and exists (select 1 from instagram_sessions s where s.user_id = c.user_id and s.account_key = c.account_key and s.envelope is not null)
     order by c.account_key limit 100 for update of a skip locked`,
    [new Date(now.getTime() - afterResolvedMs), now],
  );
  if (ready.length === 0) return [];
  // The conditions are checked again now that the accounts are locked: storing or ending a session takes the same lock.
  return rowsOf<KeptSession>(
    db,
    `update instagram_sessions s set is_active = true, held_cause = s.ended_cause, ended_at = null, ended_cause = null
     from (select distinct on (k.user_id, k.account_key) k.id from instagram_sessions k
           join unnest($1::text[], $2::uuid[]) as r (account_key, user_id) on r.account_key = k.account_key and r.user_id = k.user_id
           where not k.is_active and k.envelope is not null and k.ended_cause = any($3)
             and not exists (select 1 from instagram_sessions o where o.user_id = k.user_id and o.account_key = k.account_key and o.is_active)
           order by k.user_id, k.account_key, k.ended_at desc) last
     where s.id = last.id
     returning s.id, s.user_id, s.account_key, s.network_user_id, s.envelope`,
    [ready.map(({ account_key }) => account_key), ready.map(({ user_id }) => user_id), ownerCauses],
  );
}

/** Claims held sessions whose next check is due, unless their account is paused. */
export function claimHeld(db: Database, now: Date): Promise<KeptSession[]> {
  return rowsOf<KeptSession>(
    db,
    `select s.id, s.user_id, s.account_key, s.network_user_id, s.envelope from instagram_sessions s join network_accounts a using (account_key)
     where s.check_again_at <= $1 and s.is_active and s.envelope is not null
       and (a.paused_until is null or a.paused_until <= $1)
     order by s.check_again_at limit 100 for update of s skip locked`,
    [now],
  );
}

/** Erases kept sessions after their time. A held one ends with it. */
export async function eraseExpired(db: Database, now: Date): Promise<void> {
  await db.query(
    `update instagram_sessions set envelope = null, envelope_until = null, is_active = false, ended_at = coalesce(ended_at, $1),
       ended_cause = coalesce(ended_cause, held_cause), held_cause = null, check_again_at = null
     where id in (select id from instagram_sessions where envelope_until <= $1 limit 500 for update skip locked)`,
    [now],
  );
}
