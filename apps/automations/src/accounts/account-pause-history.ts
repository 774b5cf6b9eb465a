import type { StopClass } from '@decola/contracts';
import type { Database } from '@decola/database';
import { sessionCauses } from '../safety/stops.js';

/*
 * `account_pauses` tells customers which pauses their accounts had and have. It decides nothing: what is paused now stands in `network_accounts`,
 * `account_action_pauses` and `instagram_accounts`.
 */

/** Cause of a pause that the customer made. */
export const customerPause = 'customer';

export interface BegunPause {
  cause: StopClass | typeof customerPause;
  /** An action, `lists` or `kindPauseOf` a kind; null for the whole account. */
  part: string | null;
  /** Null when it does not end by itself. */
  until: Date | null;
}

/**
 * Records a pause for the customers of an account. One that lasts already, with the same cause, gets the later end.
 * @param onlyUser limits this to one customer; null for all who have proven the account, with `unprovenToo` for all
 */
export async function recordPause(
  db: Database,
  { accountKey, onlyUser, unprovenToo = false }: { accountKey: string; onlyUser: string | null; unprovenToo?: boolean },
  { cause, part, until }: BegunPause,
  now: Date,
): Promise<void> {
  await db.query(
    `with of as (select id, user_id from instagram_accounts
       where account_key = $1 and case when $2::uuid is null then $7 or proven_at is not null else user_id = $2 end),
     longer as (update account_pauses p set until = greatest(p.until, $5::timestamptz) from of
       where p.instagram_account_id = of.id and p.cause = $3 and p.part is not distinct from $4 and p.resolved_at is null
         and (p.until is null or p.until > $6) returning p.instagram_account_id)
     insert into account_pauses (user_id, instagram_account_id, cause, part, began_at, until)
     select of.user_id, of.id, $3, $4, $6, $5 from of where of.id not in (select instagram_account_id from longer)`,
    [accountKey, onlyUser, cause, part, until, now, unprovenToo],
  );
}

/** Records that the pauses of a customer's account which waited for a session are over. */
export async function resolveSessionPauses(db: Database, userId: string, accountKey: string, now: Date): Promise<void> {
  await resolvePauses(db, { userId, accountKey, causes: sessionCauses }, now);
}

/** Records for all accounts that the pauses of these parts which the cause made are over before their time. */
export async function resolvePausesOfParts(db: Database, parts: readonly string[], cause: StopClass, now: Date): Promise<void> {
  await db.query(`update account_pauses set resolved_at = $3 where part = any($1) and cause = $2 and resolved_at is null and until > $3`, [
    parts,
    cause,
    now,
  ]);
}

/** Records what the customer made of their own pause: `until` is its new end, or null when they ended it. */
export async function recordCustomersPause(
  db: Database,
  of: { userId: string; accountKey: string },
  until: Date | null,
  now: Date,
): Promise<void> {
  if (until === null || until <= now) {
    await resolvePauses(db, { ...of, causes: [customerPause] }, now);
    return;
  }
  await recordPause(db, { accountKey: of.accountKey, onlyUser: of.userId }, { cause: customerPause, part: null, until }, now);
  // They may also have shortened it.
  await db.query(
    `update account_pauses p set until = $4 from instagram_accounts c
     where c.user_id = $1 and c.account_key = $2 and p.instagram_account_id = c.id and p.cause = '${customerPause}' and p.resolved_at is null
       and p.until > $3`,
    [of.userId, of.accountKey, now, until],
  );
}

async function resolvePauses(
  db: Database,
  { userId, accountKey, causes }: { userId: string; accountKey: string; causes: readonly string[] },
  now: Date,
): Promise<void> {
  await db.query(
    `update account_pauses p set resolved_at = $4 from instagram_accounts c
     where c.user_id = $1 and c.account_key = $2 and p.instagram_account_id = c.id and p.cause = any($3) and p.resolved_at is null
       and (p.until is null or p.until > $4)`,
    [userId, accountKey, causes, now],
  );
}
