import type { StopClass } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';
import type { OwnerCause } from '../safety/stops.js';
import { recordPause, resolveSessionPauses } from './account-pause-history.js';

/** How long sessions that a challenge or a suspension ended are kept sealed, so that 'Já resolvi no Instagram' needs no second paste. */
export const keptEnvelopeDays = 14;
const keptEnvelopeMs = keptEnvelopeDays * 86_400_000;

/** The same session is checked again no earlier than this after the customer pressed 'Já resolvi no Instagram'. */
export const afterResolvedMs = 3_600_000;

/**
 * Ends all sessions of an account after a challenge or a suspension. Each of its customers then waits for a good session of their own. The
 * sealed sessions are kept for a while. The caller holds the lock of the account's row.
 * @param onlyUser limits this to one customer, who has not proven the account; null for all customers
 */
export async function stopSessions(
  db: Database,
  accountKey: string,
  cause: StopClass,
  now: Date,
  onlyUser: string | null = null,
): Promise<void> {
  if (onlyUser === null)
    await db.query(`update network_accounts set session_needed_cause = $2, session_needed_since = $3 where account_key = $1`, [
      accountKey,
      cause,
      now,
    ]);
  await db.query(
    `update instagram_accounts set stop_cause = $2, stopped_at = $3, resolved_at = null
     where account_key = $1 and ($4::uuid is null or user_id = $4)`,
    [accountKey, cause, now, onlyUser],
  );
  await db.query(
    `update instagram_sessions set is_active = false, ended_at = $2, ended_cause = $3, held_cause = null, check_again_at = null,
       check_attempts = 0, envelope_until = coalesce(envelope_until, $4)
     where account_key = $1 and is_active and ($5::uuid is null or user_id = $5)`,
    [accountKey, now, cause, new Date(now.getTime() + keptEnvelopeMs), onlyUser],
  );
  await recordPause(db, { accountKey, onlyUser, unprovenToo: true }, { cause, part: null, until: null }, now);
}

/**
 * Ends the stop of an account and of this customer, because a visit found their session good or visits are switched off. Other customers of
 * the account still need a good session of their own. The caller holds the lock of the account's row.
 */
export async function endStop(db: Database, userId: string, accountKey: string, now: Date): Promise<void> {
  await db.query(
    `update network_accounts set session_needed_cause = null, session_needed_since = null
     where account_key = $1 and session_needed_cause is not null`,
    [accountKey],
  );
  await db.query(
    `update instagram_accounts set stop_cause = null, stopped_at = null, resolved_at = null
     where user_id = $1 and account_key = $2 and stop_cause is not null`,
    [userId, accountKey],
  );
  await db.query(
    `update instagram_sessions set held_cause = null, envelope_until = null, check_again_at = null, check_attempts = 0
     where user_id = $1 and account_key = $2 and is_active and held_cause is not null`,
    [userId, accountKey],
  );
  await resolveSessionPauses(db, userId, accountKey, now);
}

/** The stop that a new session of this customer must be checked for; null when there is none. */
export async function stopOf(db: Database, userId: string, accountKey: string): Promise<OwnerCause | null> {
  const stop = await rowOf<{ cause: OwnerCause | null }>(
    db,
    `select coalesce(a.session_needed_cause, c.stop_cause) as cause from network_accounts a
     left join instagram_accounts c on c.account_key = a.account_key and c.user_id = $1 where a.account_key = $2`,
    [userId, accountKey],
  );
  return stop?.cause ?? null;
}

/** Ends one session that the network does not accept any more. @returns false when it had ended or was replaced before */
export async function endSession(db: Database, sessionId: string, cause: StopClass, now: Date): Promise<boolean> {
  const ended = await rowOf<{ user_id: string; account_key: string | null }>(
    db,
    `update instagram_sessions set is_active = false, envelope = null, envelope_until = null, held_cause = null, check_again_at = null,
       ended_at = $2, ended_cause = $3
     where is_active and id = $1 returning user_id, account_key`,
    [sessionId, now, cause],
  );
  if (!ended) return false;
  if (ended.account_key !== null)
    await recordPause(db, { accountKey: ended.account_key, onlyUser: ended.user_id }, { cause, part: null, until: null }, now);
  return true;
}
