import { type RunKind, runKinds, type StopClass } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';
import type { PauseCause } from '../safety/stops.js';
import { recordPause } from './account-pause-history.js';

/** SQL: the customer's own pause of an account lasts. Arguments are SQL. */
export const isPausedByCustomer = (userId: string, accountKey: string, now: string): string =>
  `exists (select 1 from instagram_accounts c where c.user_id = ${userId} and c.account_key = ${accountKey} and c.paused_until > ${now})`;

/** A pause of a whole account that the network's stop signal caused. */
export interface AccountPause {
  cause: PauseCause;
  since: Date;
  until: Date;
}

/** The account's pause at `now`; null when it is not paused. Knows nothing of the customer's own pause. */
export async function accountPauseOf(db: Database, accountKey: string, now: Date): Promise<AccountPause | null> {
  const row = await rowOf<AccountPause>(
    db,
    `select paused_cause as cause, paused_since as since, paused_until as until from network_accounts
     where account_key = $1 and paused_until > $2 and paused_cause is not null`,
    [accountKey, now],
  );
  return row ?? null;
}

/** Pauses the whole account. A longer pause that it has already keeps its end. */
export async function pauseAccount(
  db: Database,
  accountKey: string,
  pause: { cause: StopClass; until: Date; resumes: boolean; isBlock: boolean },
  now: Date,
): Promise<void> {
  await db.query(
    `update network_accounts set paused_cause = $2, paused_since = $3, paused_until = greatest(coalesce(paused_until, $4), $4),
       paused_resumes = $5, last_block_at = case when $6 then $3 else last_block_at end
     where account_key = $1`,
    [accountKey, pause.cause, now, pause.until, pause.resumes, pause.isBlock],
  );
  await recordPause(db, { accountKey, onlyUser: null }, { cause: pause.cause, part: null, until: pause.until }, now);
}

/*
 * A row of `account_action_pauses` pauses a part of what an account does: an action (its name), the runs of one kind (`kindPauseOf`), or
 * everything that reads lists of people (`listsPause`).
 */
export const listsPause = 'lists';

export function kindPauseOf(kind: string): string {
  return `run:${kind}`;
}

/** The pauses that hold runs of a kind: of any action that they do, of the kind, and of lists when they read some. */
export function pausesHolding(kind: RunKind, readsLists: boolean): string[] {
  return [...runKinds[kind].actions, ...kindPauses(kind), ...(readsLists ? [listsPause] : [])];
}

/** Replicas of the version before write the bare name of a kind. */
export function kindPauses(kind: string): string[] {
  return [kindPauseOf(kind), kind];
}

/** @param paused an action, `kindPauseOf` a kind, or `listsPause` */
export async function pauseAction(
  db: Database,
  accountKey: string,
  paused: string,
  cause: StopClass,
  until: Date,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into account_action_pauses (account_key, action, cause, since, until) values ($1, $2, $3, $4, $5)
     on conflict (account_key, action) do update set cause = excluded.cause, since = excluded.since, until = greatest(account_action_pauses.until, excluded.until)`,
    [accountKey, paused, cause, now, until],
  );
  await recordPause(db, { accountKey, onlyUser: null }, { cause, part: paused, until }, now);
}

/** Whether one of these parts of what the account does is paused. */
export async function isAnyPaused(db: Database, accountKey: string, parts: readonly string[], now: Date): Promise<boolean> {
  const paused = await rowOf(db, `select 1 from account_action_pauses where account_key = $1 and action = any($2) and until > $3`, [
    accountKey,
    parts,
    now,
  ]);
  return paused !== undefined;
}

/** Deletes pauses of accounts, actions and kinds of runs that are over. */
export async function endExpiredPauses(db: Database, now: Date): Promise<void> {
  await db.query(
    `update network_accounts set paused_cause = null, paused_since = null, paused_until = null where account_key in (
       select account_key from network_accounts where paused_until <= $1 for update skip locked)`,
    [now],
  );
  await db.query(`delete from account_action_pauses where until <= $1`, [now]);
  await db.query(`delete from kind_pauses where until <= $1`, [now]);
}
