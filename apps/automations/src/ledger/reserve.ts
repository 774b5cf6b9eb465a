import { actionFacts, type LedgerTarget, type runReserve, type UsageKind } from '@decola/contracts';
import { rowOf } from '@decola/database';
import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';
import { isAnyPaused, kindPauses } from '../accounts/account-pauses.js';
import { type CeilingTable, roomFor, type Usage } from '../safety/ceilings.js';
import { addRunViews, usageOf } from '../safety/usage.js';
import { isPausedByCustomer } from '../accounts/account-pauses.js';
import { storedIdOf, storedIdsOf } from './ledger-target.js';
import { isForgottenSkip, judgeTargets, type TargetRules } from './target-rules.js';

export type ReserveRequest = z.infer<(typeof runReserve)['request']>;
export type ReserveReply = z.infer<(typeof runReserve)['reply']>;

export interface ReserveRules extends TargetRules {
  ceilings: CeilingTable;
}

interface LockedAccount {
  fencing_token: string;
  first_seen_at: Date;
  last_block_at: Date | null;
  username: string | null;
  is_paused: boolean;
}

interface ReservingRun {
  state: string;
  kind: string;
  budget: number;
  /** The account's own number on the network. */
  own_id: string;
  /** The run's reservations for this action, including those that were given back. */
  used: number;
  given_back: number;
  is_session_good: boolean;
  /** Null when the automation was deleted. */
  is_on: boolean | null;
  asks_private: boolean;
  is_paused_by_customer: boolean;
  /** The account's quiet hours have begun. */
  is_late: boolean;
}

/**
 * Reserves targets of an action, in the caller's transaction. It locks the account's row, so that two requests for one account never overlap,
 * whichever worker and automation they come from. A run that asks again gets the same answer.
 */
export async function reserve(manager: EntityManager, request: ReserveRequest, rules: ReserveRules, now: Date): Promise<ReserveReply> {
  const { accountKey, runId, action } = request;
  const account = await lockAccount(manager, request, now);
  if (!account) return { reserved: [], refused: [], stop: 'lease_lost' };
  const run = await loadRun(manager, request, now);
  if (!run || run.is_on === null || (run.state !== 'queued' && run.state !== 'running'))
    return { reserved: [], refused: [], stop: 'run_over' };
  await manager.query(
    `update runs set state = 'running', seen_at = $2, fencing_token = greatest(coalesce(fencing_token, 0), $3) where id = $1`,
    [runId, now, request.fencingToken],
  );
  await addRunViews(manager, request, now);
  const isPartPaused = await isAnyPaused(manager, accountKey, [action, ...kindPauses(run.kind)], now);
  const isPaused = account.is_paused || isPartPaused || run.is_paused_by_customer || run.is_late;
  if (isPaused || !run.is_session_good || !run.is_on) return { reserved: [], refused: [], stop: 'account_paused' };

  const candidates = [...new Map(request.candidates.map((candidate) => [candidate.targetId, candidate])).values()];
  const ids = candidates.map(({ targetId }) => targetId);
  await forgetSkippedAsPrivate(manager, request, ids, run.asks_private, now);
  const own = { id: run.own_id, username: account.username };
  const judgement = await judgeTargets(manager, { accountKey, action, runId, own, asksPrivate: run.asks_private }, candidates, rules, now);

  const usage = (await usageOf(manager, [accountKey], now)).get(accountKey) ?? { hour: {}, day: {} };
  const ages = { firstSeenAt: account.first_seen_at, lastBlockAt: account.last_block_at };
  // Reports may arrive late: what the run has given back is still reserved in the ledger, but uses up neither ceiling nor budget.
  const { ceiling } = actionFacts[action];
  const ceilingRoom = roomFor(ceiling, rules.ceilings, ages, without(usage, ceiling, run.given_back), now);
  const budgetRoom = run.budget - run.used + run.given_back;
  let room = Math.max(0, Math.min(ceilingRoom, budgetRoom));

  const reserved: ReserveReply['reserved'] = [];
  const refused: ReserveReply['refused'] = [];
  const inserted: ReserveReply['reserved'] = [];
  for (const candidate of candidates) {
    const reservationId = judgement.ownReservation(candidate);
    const refusal = judgement.refusal(candidate);
    if (reservationId !== null) reserved.push({ ...candidate, reservationId });
    else if (refusal !== null) refused.push({ ...candidate, reason: refusal });
    else if (room === 0) refused.push({ ...candidate, reason: 'ceiling' });
    else {
      room -= 1;
      judgement.take(candidate);
      inserted.push({ ...candidate, reservationId: randomUUID() });
    }
  }
  await insertReservations(manager, request, inserted, now);
  reserved.push(...inserted);
  if (reserved.length > 0 || room > 0) return { reserved, refused, stop: null };
  return { reserved, refused, stop: budgetRoom <= 0 ? 'run_over' : 'ceiling' };
}

/** Locks the account's row. @returns undefined when a newer lease of the account exists, or the account is unknown */
async function lockAccount(
  manager: EntityManager,
  { accountKey, fencingToken }: ReserveRequest,
  now: Date,
): Promise<LockedAccount | undefined> {
  const account = await rowOf<LockedAccount>(
    manager,
    `select fencing_token, first_seen_at, last_block_at, username, coalesce(paused_until > $2, false) as is_paused
     from network_accounts where account_key = $1 for update`,
    [accountKey, now],
  );
  if (!account || fencingToken < Number(account.fencing_token)) return undefined;
  await manager.query(`update network_accounts set fencing_token = greatest(fencing_token, $2) where account_key = $1`, [
    accountKey,
    fencingToken,
  ]);
  return account;
}

function loadRun(
  manager: EntityManager,
  { runId, accountKey, userId, action, givenBack }: ReserveRequest,
  now: Date,
): Promise<ReservingRun | undefined> {
  return rowOf<ReservingRun>(
    manager,
    `select r.state, r.kind, r.budget, coalesce((select s.network_user_id from instagram_sessions s where s.id = r.session_id), '') as own_id, coalesce((r.plan->>'requestPrivate')::boolean, false) as asks_private, coalesce(r.ends_at <= $5, false) as is_late,
       (select count(*) from account_actions l where l.run_id = r.id and l.action = $4 and l.state <> 'skipped')::int as used,
       (select count(*) from account_actions l where l.run_id = r.id and l.action = $4 and l.state = 'reserved' and l.id = any($6))::int as given_back,
       exists (select 1 from instagram_sessions s where s.user_id = r.user_id and s.account_key = r.account_key and s.is_active
               and s.held_cause is null) as is_session_good,
       ${isPausedByCustomer('r.user_id', 'r.account_key', '$5')} as is_paused_by_customer,
       (select t.is_active from automations t where t.id = r.automation_id) as is_on
     from runs r where r.id = $1 and r.account_key = $2 and r.user_id = $3`,
    [runId, accountKey, userId, action, now, givenBack],
  );
}

/** Lets people be proposed again who were skipped for being private: when requests are allowed now, or after a while. */
async function forgetSkippedAsPrivate(
  manager: EntityManager,
  { accountKey, action }: ReserveRequest,
  ids: readonly string[],
  asksPrivate: boolean,
  now: Date,
): Promise<void> {
  await manager.query(
    `delete from account_actions l where account_key = $1 and action = $2 and target_id = any($3) and ${isForgottenSkip('$4', '$5')}`,
    [accountKey, action, ids.flatMap((id) => storedIdsOf(action, id, now)), asksPrivate, now],
  );
}

async function insertReservations(
  manager: EntityManager,
  { accountKey, action, userId, runId }: ReserveRequest,
  reservations: readonly (LedgerTarget & { reservationId: string })[],
  now: Date,
): Promise<void> {
  if (reservations.length === 0) return;
  await manager.query(
    `insert into account_actions (id, account_key, action, target_id, target_username, author_id, post_code, state, user_id, automation_id, run_id,
       reserved_at)
     select id, $1, $2, target_id, target_username, author_id, post_code, 'reserved', $3, (select automation_id from runs where id = $4), $4, $5
     from unnest($6::uuid[], $7::text[], $8::text[], $9::text[], $10::text[]) as c (id, target_id, target_username, author_id, post_code)`,
    [
      accountKey,
      action,
      userId,
      runId,
      now,
      reservations.map(({ reservationId }) => reservationId),
      reservations.map(({ targetId }) => storedIdOf(action, targetId, now)),
      reservations.map(({ username }) => username),
      reservations.map(({ authorId }) => authorId ?? null),
      reservations.map(({ postCode }) => postCode ?? null),
    ],
  );
}

function without({ hour, day }: Usage, ceiling: UsageKind, count: number): Usage {
  const less = (amounts: Usage['hour']) => ({ ...amounts, [ceiling]: Math.max(0, (amounts[ceiling] ?? 0) - count) });
  return { hour: less(hour), day: less(day) };
}
