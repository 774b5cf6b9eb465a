import type { PayloadOf, runPage } from '@decola/contracts';
import { type Database, rowsOf } from '@decola/database';
import { keepForAccount } from '../keep-list/keep-list.js';

/*
 * When a customer extracts the "following" list of their own account, a person whom we followed before and who is missing in the complete list was
 * unfollowed by hand. Should the customer follow that person again, it is their own choice, so the person is put on the keep list
 * (docs/decisions/0029-followed-again-by-hand.md).
 */

/** Pages are judged this long after extraction found the list complete: those whose handling failed have been retried by then. */
const judgedAfterMs = 3_600_000;
/** The network's lists may lag behind: a follow must be so old when the reading begins. */
const listLagMs = 3_600_000;

/** Notes who of the account's ledger is on a page of its own "following" list. Pages of other lists are ignored. */
export async function noteOwnListPage(
  db: Database,
  { runId, accountKey, userId, extractedDataId, rows }: PayloadOf<typeof runPage>,
  now: Date,
): Promise<void> {
  // The run was queued before its first page was read, so everybody who was followed before belongs on the list.
  const own = await rowsOf(
    db,
    `insert into own_list_readings (extracted_data_id, user_id, account_key, started_at)
     select $1, r.user_id, r.account_key, r.queued_at from runs r join network_accounts a on a.account_key = r.account_key
     where r.id = $2 and r.user_id = $3 and r.plan ->> 'list' = 'following' and lower(r.plan ->> 'username') = lower(a.username)
     on conflict (extracted_data_id) do update set started_at = own_list_readings.started_at
     returning started_at`,
    [extractedDataId, runId, userId],
  );
  if (own.length === 0) return;
  await db.query(`update account_actions set seen_following_at = $3 where account_key = $1 and action = 'follow' and target_id = any($2)`, [
    accountKey,
    rows.map((person) => person.userId),
    now,
  ]);
}

/** Extraction found the list complete: it has as many people as the profile shows. */
export async function noteOwnListComplete(db: Database, extractedDataId: string, now: Date): Promise<void> {
  await db.query(`update own_list_readings set completed_at = $2 where extracted_data_id = $1`, [extractedDataId, now]);
}

/** Keeps people whom we followed before a reading began and whom the complete list did not show. */
export async function keepUnfollowedByHand(db: Database, now: Date): Promise<void> {
  const readings = await rowsOf<{ account_key: string; started_at: Date }>(
    db,
    `delete from own_list_readings where extracted_data_id in (
       select extracted_data_id from own_list_readings where completed_at < $1 limit 50 for update skip locked)
     returning account_key, started_at`,
    [new Date(now.getTime() - judgedAfterMs)],
  );
  for (const { account_key: accountKey, started_at: startedAt } of readings) {
    const missing = await rowsOf<{ target_id: string }>(
      db,
      `select target_id from account_actions f where account_key = $1 and action = 'follow' and state = 'confirmed'
         and settled_at < $2 and coalesce(seen_following_at, '-infinity') < $3 and not exists (
           select 1 from account_actions u where u.account_key = f.account_key and u.action = 'unfollow' and u.target_id = f.target_id)`,
      [accountKey, new Date(startedAt.getTime() - listLagMs), startedAt],
    );
    await keepForAccount(
      db,
      accountKey,
      missing.map(({ target_id }) => target_id),
    );
  }
}
