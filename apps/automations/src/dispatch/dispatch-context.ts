import { type LedgerTarget, type RunAction, type RunKind, type UnsettledReservation } from '@decola/contracts';
import { type Database, rowsOf } from '@decola/database';
import { targetIdOf } from '../ledger/ledger-target.js';
import { usageOf } from '../safety/usage.js';
import { budgetAction, runModules } from '../tools/registry.js';
import type { ToolLimits } from '../tools/run-module.js';
import type { ActivePause, DispatchContext, DueAutomation, KindPause } from './decide.js';

/** Most reservations without an outcome that one run looks at: each costs the worker a visit of a profile. */
const mostOpenLooks = 20;
/** The same for tries that have an outcome already, so that their looks are not urgent. */
const mostLaterLooks = 3;

/** Loads usage, running accounts, open reservations and pauses of a batch in a constant number of queries. */
export async function loadDispatchContext(
  db: Database,
  batch: readonly DueAutomation[],
  limits: ToolLimits,
  now: Date,
  mostCandidates?: number,
): Promise<DispatchContext> {
  const accountKeys = keysOf(batch);
  return {
    usage: await usageOf(db, accountKeys, now),
    busy: await loadBusyAccounts(db, accountKeys),
    unsettled: await loadUnsettled(db, accountKeys, now),
    candidates: await loadCandidates(db, batch, limits, now, mostCandidates),
    actionCounts: await countActions(db, batch),
    actionPauses: await loadActionPauses(db, accountKeys, now),
    kindPauses: await loadKindPauses(db, now),
  };
}

function keysOf(automations: readonly DueAutomation[]): string[] {
  return [...new Set(automations.flatMap(({ accountKey }) => accountKey ?? []))];
}

/** For each kind of run that asks for candidates, those of the accounts that need them. */
async function loadCandidates(
  db: Database,
  batch: readonly DueAutomation[],
  limits: ToolLimits,
  now: Date,
  most?: number,
): Promise<Map<RunKind, Map<string, LedgerTarget[]>>> {
  const loaded = new Map<RunKind, Map<string, LedgerTarget[]>>();
  for (const kind of new Set(batch.map((due) => due.kind))) {
    const { candidates } = runModules[kind];
    const needing = batch.filter((due) => due.kind === kind && candidates?.isNeeded(due.configuration));
    if (candidates && needing.length > 0) loaded.set(kind, await candidates.load(db, keysOf(needing), limits, now, most));
  }
  return loaded;
}

/**
 * For automations whose kind of run asks for it: how many texts it has written. One that was reserved and never announced has used none, and may be
 * deleted from the ledger: counted, it would let the next text be used twice in a row.
 */
async function countActions(db: Database, batch: readonly DueAutomation[]): Promise<Map<string, number>> {
  const counted = batch.filter(({ kind }) => runModules[kind].countsActions);
  if (counted.length === 0) return new Map();
  const rows = await rowsOf<{ automation_id: string; count: number }>(
    db,
    `select automation_id, count(*)::int as count from account_actions
     where account_key = any($1) and action = any($2) and automation_id = any($3) and text is not null group by 1`,
    [keysOf(counted), counted.flatMap(({ kind }) => budgetAction(kind) ?? []), counted.map(({ id }) => id)],
  );
  return new Map(rows.map(({ automation_id, count }) => [automation_id, count]));
}

async function loadBusyAccounts(db: Database, accountKeys: readonly string[]): Promise<Set<string>> {
  const busy = await rowsOf<{ account_key: string }>(
    db,
    `select account_key from runs where account_key = any($1) and state in ('queued', 'running')`,
    [accountKeys],
  );
  return new Set(busy.map(({ account_key }) => account_key));
}

interface UnsettledRow {
  account_key: string;
  id: string;
  action: RunAction;
  target_id: string;
  target_username: string;
  author_id: string | null;
  post_code: string | null;
  text: string | null;
}

/** Reservations whose run is over and that have no outcome, and other tries that are due for a look; by account. */
async function loadUnsettled(db: Database, accountKeys: readonly string[], now: Date): Promise<Map<string, UnsettledReservation[]>> {
  const rows = await rowsOf<UnsettledRow>(
    db,
    `select account_key, id, action, target_id, target_username, author_id, post_code, text from (
       select l.account_key, l.id, l.action, l.target_id, l.target_username, l.author_id, l.post_code, l.text, l.reserved_at, l.state = 'reserved' as is_open,
         row_number() over (partition by l.account_key, l.state = 'reserved' order by l.next_look_at nulls first, l.reserved_at) as place
       from account_actions l
       where l.account_key = any($1) and (
         (l.state = 'reserved' and coalesce(l.next_look_at, '-infinity') <= $2
           and not exists (select 1 from runs r where r.id = l.run_id and r.state in ('queued', 'running')))
         or (l.state in ('not_confirmed', 'requested') and l.next_look_at <= $2))) looks
     where place <= case when is_open then $3::int else $4::int end
     order by is_open desc, reserved_at`,
    [accountKeys, now, mostOpenLooks, mostLaterLooks],
  );
  const byAccount = new Map<string, UnsettledReservation[]>();
  for (const { account_key, ...row } of rows) {
    const reservation = {
      reservationId: row.id,
      action: row.action,
      targetId: targetIdOf(row.target_id),
      username: row.target_username,
      ...(row.author_id === null ? {} : { authorId: row.author_id }),
      ...(row.post_code === null ? {} : { postCode: row.post_code }),
      ...(row.text === null ? {} : { text: row.text }),
    };
    const known = byAccount.get(account_key);
    if (known) known.push(reservation);
    else byAccount.set(account_key, [reservation]);
  }
  return byAccount;
}

async function loadActionPauses(db: Database, accountKeys: readonly string[], now: Date): Promise<Map<string, ActivePause>> {
  const rows = await rowsOf<{ account_key: string; action: string } & ActivePause>(
    db,
    `select account_key, action, cause, since, until from account_action_pauses where account_key = any($1) and until > $2`,
    [accountKeys, now],
  );
  return new Map(rows.map((row) => [`${row.account_key} ${row.action}`, row]));
}

async function loadKindPauses(db: Database, now: Date): Promise<Map<string, KindPause>> {
  const rows = await rowsOf<{ kind: string } & KindPause>(
    db,
    `select kind, cause, since, until, probe_at as "probeAt" from kind_pauses where until > $1`,
    [now],
  );
  return new Map(rows.map((row) => [row.kind, row]));
}
