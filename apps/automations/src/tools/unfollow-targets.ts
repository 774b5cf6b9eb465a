import type { LedgerTarget, SkipReason } from '@decola/contracts';
import { type Database, rowsOf } from '@decola/database';
import { isKept } from '../keep-list/keep-list.js';

/*
 * Whom an account may unfollow: only people whom this product followed for it, long enough ago, and whom nobody asked to keep.
 */

/** SQL over a ledger row `l`: a follow of ours, confirmed at least `$3` days before `$4`. */
const isOldOwnFollow = `l.action = 'follow' and l.state = 'confirmed' and l.settled_at <= $4::timestamptz - $3 * interval '1 day'`;

/** Most people that are proposed to one run; its budget is smaller. */
const mostTargets = 5;

/**
 * The people whom each account may unfollow next, those that were followed first coming first.
 * @returns by account key
 */
export async function unfollowTargetsOf(
  db: Database,
  accountKeys: readonly string[],
  afterDays: number,
  now: Date,
  most = mostTargets,
): Promise<Map<string, LedgerTarget[]>> {
  const targets = new Map<string, LedgerTarget[]>();
  if (accountKeys.length === 0) return targets;
  const rows = await rowsOf<{ account_key: string; target_id: string; username: string }>(
    db,
    `select p.account_key, p.target_id, p.username from unnest($1::text[]) as a (account_key)
     cross join lateral (
       select l.account_key, l.target_id, l.target_username as username, l.settled_at from account_actions l
       where l.account_key = a.account_key and ${isOldOwnFollow}
         and not exists (select 1 from account_actions u where u.account_key = l.account_key and u.action = 'unfollow' and u.target_id = l.target_id)
         and not ${isKept('l', 'target_username')}
       order by l.settled_at, l.id limit $2) p
     order by p.account_key, p.settled_at`,
    [accountKeys, most, afterDays, now],
  );
  for (const { account_key, target_id, username } of rows) {
    const target = { targetId: target_id, username };
    const known = targets.get(account_key);
    if (known) known.push(target);
    else targets.set(account_key, [target]);
  }
  return targets;
}

/** Why some of the candidates must not be unfollowed, by their id. Candidates who may be are absent. */
export async function refusedUnfollows(
  db: Database,
  accountKey: string,
  candidates: readonly LedgerTarget[],
  afterDays: number,
  now: Date,
): Promise<Map<string, SkipReason>> {
  const rows = await rowsOf<{ target_id: string; is_ours: boolean; is_kept: boolean }>(
    db,
    `select p.target_id, ${isKept('p', 'username')} as is_kept,
       exists (select 1 from account_actions l where l.account_key = p.account_key and l.target_id = p.target_id and ${isOldOwnFollow}) as is_ours
     from (select $1::text as account_key, target_id, username from unnest($2::text[], $5::text[]) as c (target_id, username)) p`,
    [accountKey, candidates.map(({ targetId }) => targetId), afterDays, now, candidates.map(({ username }) => username)],
  );
  return new Map(
    rows
      .filter(({ is_ours, is_kept }) => !is_ours || is_kept)
      .map(({ target_id, is_kept }) => [target_id, is_kept ? 'keep_list' : 'not_ours']),
  );
}
