import { type Database, rowOf } from '@decola/database';
import { afterResolvedMs } from '../accounts/session-stops.js';
import { type SessionCause, sessionCauses } from '../safety/stops.js';
import { instantText, sessionRefusals } from '../texts/texts.js';

/**
 * Why a session that was pasted before is not accepted now, as a sentence for the customer; null when it is accepted. The network ended it, or
 * it met a stop that is not over: then it is accepted again an hour after the customer said that they resolved it.
 * @param fingerprint of the session, from `sessionFingerprintOf`
 */
export async function refusalOfSameSession(
  db: Database,
  { userId, accountKey, fingerprint }: { userId: string; accountKey: string; fingerprint: string },
  now: Date,
): Promise<string | null> {
  const same = await rowOf<{
    ended_cause: SessionCause;
    ended_at: Date;
    is_stopped: boolean;
    resolved_at: Date | null;
    is_kept: boolean;
    time_zone: string | null;
  }>(
    db,
    `select s.ended_cause, s.ended_at, (a.session_needed_cause is not null or c.stop_cause is not null) as is_stopped, c.resolved_at,
       exists (select 1 from instagram_sessions k where k.user_id = $1 and k.account_key = $2 and k.fingerprint = $3
               and k.envelope is not null) as is_kept,
       (select time_zone from customers where user_id = $1) as time_zone
     from instagram_sessions s join network_accounts a using (account_key)
     left join instagram_accounts c on c.account_key = s.account_key and c.user_id = $1
     where s.account_key = $2 and s.fingerprint = $3 and not s.is_active and s.ended_cause = any($4)
     order by s.ended_at desc limit 1`,
    [userId, accountKey, fingerprint, sessionCauses],
  );
  if (!same) return null;
  const written = (at: Date) => instantText(at, same.time_zone ?? undefined);
  const since = written(same.ended_at);
  switch (same.ended_cause) {
    case 'session_ended':
      return sessionRefusals.ended(since);
    case 'wrong_account':
      return sessionRefusals.ofAnotherAccount(since);
    case 'challenge':
    case 'suspended': {
      if (!same.is_stopped) return null;
      if (!same.resolved_at) return sessionRefusals.sameSessionAfterStop(same.ended_cause, since);
      const from = new Date(same.resolved_at.getTime() + afterResolvedMs);
      if (from <= now) return null;
      return same.is_kept ? sessionRefusals.sameSessionIsChecked(written(from)) : sessionRefusals.sameSessionMayBePasted(written(from));
    }
  }
}
