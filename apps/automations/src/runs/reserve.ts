import type { LedgerTarget, runReserve, SkipReason } from '@decola/contracts';
import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';
import { rowOf, rowsOf } from '../rows.js';
import { type CeilingTable, roomFor, type Usage } from './ceilings.js';
import { usageOf } from './usage.js';

export type ReserveRequest = z.infer<(typeof runReserve)['request']>;
export type ReserveReply = z.infer<(typeof runReserve)['reply']>;

export interface ReserveRules {
  ceilings: CeilingTable;
  unfollowAfterDays: number;
}

/** A private account may have opened after this many days. */
const privateAgainDays = 30;

interface AccountRow {
  fencing_token: string;
  first_seen_at: Date;
  last_block_at: Date | null;
  is_paused: boolean;
}

interface RunRow {
  state: string;
  budget: number;
  used: number;
  given_back: number;
  is_session_good: boolean;
  is_on: boolean | null;
  is_action_paused: boolean;
  asks_private: boolean;
}

/**
 * Answers "may I do this to these people?" in the caller's transaction. The account's row is the lock: two questions about one
 * account never overlap, from whichever worker and automation they come. Asked twice by the same run, the answer is the same.
 */
export async function reserve(manager: EntityManager, request: ReserveRequest, rules: ReserveRules, now: Date): Promise<ReserveReply> {
  const { accountKey, runId, action, fencingToken } = request;
  const nothing = (stop: ReserveReply['stop'], reason?: SkipReason): ReserveReply => ({
    reserved: [],
    refused: reason ? request.candidates.map((candidate) => ({ ...candidate, reason })) : [],
    stop,
  });

  const account = await rowOf<AccountRow>(
    manager,
    `select fencing_token, first_seen_at, last_block_at, coalesce(paused_until > $2, false) as is_paused
     from network_accounts where account_key = $1 for update`,
    [accountKey, now],
  );
  if (!account || fencingToken < Number(account.fencing_token)) return nothing('lease_lost');
  await manager.query(`update network_accounts set fencing_token = greatest(fencing_token, $2) where account_key = $1`, [
    accountKey,
    fencingToken,
  ]);

  const run = await rowOf<RunRow>(
    manager,
    `select r.state, r.budget, coalesce((r.plan->>'requestPrivate')::boolean, false) as asks_private,
       (select count(*) from account_actions l where l.run_id = r.id and l.state <> 'skipped')::int as used,
       (select count(*) from account_actions l where l.run_id = r.id and l.state = 'reserved' and l.id = any($6))::int as given_back,
       exists (select 1 from instagram_sessions s join network_accounts a using (account_key)
               where s.user_id = r.user_id and s.account_key = r.account_key and s.is_active
                 and s.created_at > coalesce(a.session_needed_since, '-infinity')) as is_session_good,
       (select t.is_active from automations t where t.id = r.automation_id) as is_on,
       exists (select 1 from account_action_pauses p where p.account_key = r.account_key and p.action = $4 and p.until > $5) as is_action_paused
     from runs r where r.id = $1 and r.account_key = $2 and r.user_id = $3`,
    [runId, accountKey, request.userId, action, now, request.givenBack],
  );
  if (!run || run.is_on === null || (run.state !== 'queued' && run.state !== 'running')) return nothing('run_over');
  await manager.query(
    `update runs set state = 'running', seen_at = $2, fencing_token = greatest(coalesce(fencing_token, 0), $3) where id = $1`,
    [runId, now, fencingToken],
  );
  if (account.is_paused || run.is_action_paused || !run.is_session_good || !run.is_on) return nothing('account_paused');

  const candidates = [...new Map(request.candidates.map((candidate) => [candidate.targetId, candidate])).values()];
  const ids = candidates.map(({ targetId }) => targetId);
  // Who was passed over for being private may come again when requests are allowed, or after a while.
  await manager.query(
    `delete from account_actions where account_key = $1 and action = $2 and target_id = any($3) and state = 'skipped'
       and skip_reason = 'target_private' and ($4 or settled_at < $5::timestamptz - $6 * interval '1 day')`,
    [accountKey, action, ids, run.asks_private, now, privateAgainDays],
  );
  const known = await rowsOf<{ target_id: string; id: string; is_own_open: boolean }>(
    manager,
    `select target_id, id, state = 'reserved' and run_id = $4 as is_own_open
     from account_actions where account_key = $1 and action = $2 and target_id = any($3)`,
    [accountKey, action, ids, runId],
  );
  const inLedger = new Map(known.map((row) => [row.target_id, row]));
  const kept =
    action === 'unfollow'
      ? await protectedFromUnfollow(manager, accountKey, ids, rules.unfollowAfterDays, now)
      : new Map<string, SkipReason>();

  const counted: Usage = (await usageOf(manager, [accountKey], now)).get(accountKey) ?? { hour: {}, day: {} };
  // Reports arrive in no order: who the run has passed over already does not use up its budget.
  const usage = without(counted, action, run.given_back);
  const ages = { firstSeenAt: account.first_seen_at, lastBlockAt: account.last_block_at };
  const ceilingRoom = roomFor(action, rules.ceilings, ages, usage, now);
  const budgetRoom = run.budget - run.used + run.given_back;
  let room = Math.max(0, Math.min(ceilingRoom, budgetRoom));

  const reserved: ReserveReply['reserved'] = [];
  const refused: ReserveReply['refused'] = [];
  const fresh: (LedgerTarget & { reservationId: string })[] = [];
  for (const candidate of candidates) {
    const entry = inLedger.get(candidate.targetId);
    const keepReason = kept.get(candidate.targetId);
    if (entry?.is_own_open) reserved.push({ ...candidate, reservationId: entry.id });
    else if (entry) refused.push({ ...candidate, reason: 'already_in_ledger' });
    else if (keepReason) refused.push({ ...candidate, reason: keepReason });
    else if (room === 0) refused.push({ ...candidate, reason: 'ceiling' });
    else {
      room -= 1;
      fresh.push({ ...candidate, reservationId: randomUUID() });
    }
  }
  if (fresh.length > 0) {
    await manager.query(
      `insert into account_actions (id, account_key, action, target_id, target_username, state, user_id, automation_id, run_id, reserved_at)
       select id, $1, $2, target_id, target_username, 'reserved', $3, (select automation_id from runs where id = $4), $4, $5
       from unnest($6::uuid[], $7::text[], $8::text[]) as c (id, target_id, target_username)`,
      [
        accountKey,
        action,
        request.userId,
        runId,
        now,
        fresh.map(({ reservationId }) => reservationId),
        fresh.map(({ targetId }) => targetId),
        fresh.map(({ username }) => username),
      ],
    );
    reserved.push(...fresh);
  }
  if (reserved.length > 0 || room > 0) return { reserved, refused, stop: null };
  return { reserved, refused, stop: budgetRoom <= 0 ? 'run_over' : 'ceiling' };
}

function without({ hour, day }: Usage, action: ReserveRequest['action'], count: number): Usage {
  const less = (amounts: Usage['hour']) => ({ ...amounts, [action]: Math.max(0, (amounts[action] ?? 0) - count) });
  return { hour: less(hour), day: less(day) };
}

/** Only people that this product followed for this account, long enough ago, and that nobody asked to keep. */
async function protectedFromUnfollow(
  manager: EntityManager,
  accountKey: string,
  ids: readonly string[],
  afterDays: number,
  now: Date,
): Promise<Map<string, SkipReason>> {
  const rows = await rowsOf<{ target_id: string; is_ours: boolean; is_kept: boolean }>(
    manager,
    `select c.target_id,
       exists (select 1 from account_actions l where l.account_key = $1 and l.action = 'follow' and l.target_id = c.target_id
               and l.state = 'confirmed' and l.settled_at <= $4::timestamptz - $3 * interval '1 day') as is_ours,
       exists (select 1 from keep_list k where k.account_key = $1 and k.target_id = c.target_id) as is_kept
     from unnest($2::text[]) as c (target_id)`,
    [accountKey, ids, afterDays, now],
  );
  return new Map(
    rows
      .filter(({ is_ours, is_kept }) => !is_ours || is_kept)
      .map(({ target_id, is_kept }) => [target_id, is_kept ? 'keep_list' : 'not_ours']),
  );
}
