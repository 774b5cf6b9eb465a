import { type Database, rowOf, rowsOf } from '@decola/database';

/*
 * Anybody can paste the number of somebody else's account with an invented token. A customer has proven an account (`proven_at`) once the
 * network accepted a session of theirs.
 */

/** SQL over a row `t` of (user_id, account_key): the customer has proven the account. */
export const isProvenRow = `exists (select 1 from instagram_accounts own where own.user_id = t.user_id and own.account_key = t.account_key
  and own.proven_at is not null)`;

/**
 * SQL over a row `s` of instagram_sessions: another customer has proven the account and this one has not. Such a session is not used until
 * a visit found it good, so that it does not delay the runs of the account's owner.
 */
export const isContested = `(exists (select 1 from instagram_accounts own where own.user_id = s.user_id and own.account_key = s.account_key
    and own.proven_at is null)
  and exists (select 1 from instagram_accounts other where other.account_key = s.account_key and other.user_id <> s.user_id
    and other.proven_at is not null))`;

/**
 * Whether the customer has proven the account. Until then nothing of the account is shown to them, and what their session meets has no effect
 * on other customers.
 */
export async function isProven(db: Database, userId: string, accountKey: string): Promise<boolean> {
  const row = await rowOf<{ proven_at: Date | null }>(
    db,
    `select proven_at from instagram_accounts where user_id = $1 and account_key = $2`,
    [userId, accountKey],
  );
  // A customer who was erased, or who deleted the account, has no row any more. They had runs, which start only for a proven account.
  return row === undefined || row.proven_at !== null;
}

/** Records that the network accepted a session of this customer, and shows them the account's name. */
export async function prove(db: Database, userId: string, accountKey: string, now: Date): Promise<void> {
  const proven = await rowsOf(
    db,
    `update instagram_accounts set proven_at = $3 where user_id = $1 and account_key = $2 and proven_at is null returning id`,
    [userId, accountKey, now],
  );
  if (proven.length === 0) return;
  await db.query(
    `update instagram_sessions s set username = '@' || a.username from network_accounts a
     where s.user_id = $1 and s.account_key = $2 and s.is_active and a.account_key = s.account_key and a.username is not null`,
    [userId, accountKey],
  );
}

/** Stores the name that a run saw on the account's own profile link, and shows it to the customers who have proven the account. */
export async function storeAccountName(db: Database, accountKey: string, username: string): Promise<void> {
  await db.query(`update network_accounts set username = $2 where account_key = $1 and username is distinct from $2`, [
    accountKey,
    username,
  ]);
  await db.query(
    `update instagram_sessions t set username = '@' || $2
     where account_key = $1 and is_active and username is distinct from '@' || $2 and ${isProvenRow}`,
    [accountKey, username],
  );
}
