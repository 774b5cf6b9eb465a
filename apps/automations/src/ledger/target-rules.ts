import { actionFacts, type LedgerTarget, type RunAction, type SkipReason } from '@decola/contracts';
import { type Database, rowsOf } from '@decola/database';
import { targetKeyOf } from '../accounts/account-key.js';
import { actionRules } from '../tools/registry.js';
import type { ToolLimits } from '../tools/run-module.js';
import { forbiddenSince, storedIdsOf } from './ledger-target.js';

/*
 * Whether targets may get an action. Nothing here changes anything, so that a reservation and a preview decide by the same rules.
 */

export interface TargetRules extends ToolLimits {
  /** Key of the HMACs that replaced the ids of people whom erased customers met. Base64. */
  pepper: string;
}

/** What is asked about targets. */
export interface TargetQuestion {
  accountKey: string;
  action: RunAction;
  /** The run that asks; null for a preview, which has no reservations. */
  runId: string | null;
  /** The account itself: its number on the network, and its name when it is known. */
  own: { id: string; username: string | null };
  /** Private people get a request instead of being skipped. */
  asksPrivate: boolean;
}

/** What the rules say of the targets that were asked about. Ceilings are not among them. */
export interface TargetJudgement {
  /** Id of the run's own open reservation of a target: a run that asks again gets the same answer. Null when it has none. */
  ownReservation(target: LedgerTarget): string | null;
  /** Why a target may not get the action; null when it may. */
  refusal(target: LedgerTarget): SkipReason | null;
  /** A target gets the action now: its author counts as met from here on. */
  take(target: LedgerTarget): void;
}

/** Days after which a private account that was skipped may be proposed again: it may be public by then. */
const privateAgainDays = 30;

/** SQL over a ledger row `l`: somebody who was skipped for being private and may be proposed again, because requests are allowed now, or after a while. */
export function isForgottenSkip(asksPrivate: string, now: string): string {
  return `l.state = 'skipped' and l.skip_reason = 'target_private'
    and (${asksPrivate} or l.settled_at < ${now}::timestamptz - ${privateAgainDays} * interval '1 day')`;
}

/** Reads what decides about these targets. */
export async function judgeTargets(
  db: Database,
  question: TargetQuestion,
  targets: readonly LedgerTarget[],
  rules: TargetRules,
  now: Date,
): Promise<TargetJudgement> {
  const { accountKey, action, own } = question;
  const inLedger = await loadLedgerEntries(db, question, targets, rules.pepper, now);
  const refusals = await actionRules[action].refusals?.(db, accountKey, targets, rules, now);
  const authors = await loadRecentAuthors(db, question, targets, rules.pepper, now);
  const ownReservation = ({ targetId }: LedgerTarget): string | null => {
    const entry = inLedger.get(targetId);
    return entry?.isOwnReservation ? entry.id : null;
  };
  return {
    ownReservation,
    refusal: (target) => {
      if (inLedger.has(target.targetId)) return 'already_in_ledger';
      if (isOwn(target, action, own)) return 'own';
      return refusals?.get(target.targetId) ?? (authors.hasRecent(target) ? 'author_recent' : null);
    },
    take: (target) => authors.add(target),
  };
}

/**
 * What the ledger knows of these targets, by their id, as far as it forbids the action, including entries whose id was replaced by an HMAC when a
 * customer was erased.
 */
async function loadLedgerEntries(
  db: Database,
  { accountKey, action, runId, asksPrivate }: TargetQuestion,
  targets: readonly LedgerTarget[],
  pepper: string,
  now: Date,
): Promise<Map<string | undefined, { id: string; isOwnReservation: boolean }>> {
  const idOf = new Map(
    targets.flatMap(({ targetId: id }) =>
      storedIdsOf(action, id, now).flatMap((stored) => [[stored, id] as const, [targetKeyOf(accountKey, stored, pepper), id] as const]),
    ),
  );
  const known = await rowsOf<{ target_id: string; id: string; is_own_reservation: boolean }>(
    db,
    `select target_id, id, state = 'reserved' and run_id = $4 as is_own_reservation
     from account_actions l where account_key = $1 and action = $2 and target_id = any($3) and ($5::timestamptz is null or reserved_at > $5)
       and (${isForgottenSkip('$6', '$7')}) is not true`,
    [accountKey, action, [...idOf.keys()], runId, forbiddenSince(action, now), asksPrivate, now],
  );
  return new Map(known.map((row) => [idOf.get(row.target_id), { id: row.id, isOwnReservation: row.is_own_reservation }]));
}

/** Whether a target is the account itself, or something of its own. */
function isOwn(target: LedgerTarget, action: RunAction, own: TargetQuestion['own']): boolean {
  const isPerson = actionFacts[action].target === 'person' || actionFacts[action].target === 'story';
  const personId = isPerson ? target.targetId : target.authorId;
  return personId === undefined ? target.username === own.username?.toLowerCase() : personId === own.id;
}

/** Authors who got an action of the account recently, for actions that must not meet one author often (`sameAuthorAfterMs`). */
interface RecentAuthors {
  hasRecent(target: LedgerTarget): boolean;
  /** The target's author gets the action now. */
  add(target: LedgerTarget): void;
}

const noAuthors: RecentAuthors = { hasRecent: () => false, add: () => undefined };

/** Reads which authors of the candidates got the action recently. Authors are recognized by their id, or by their name where an id is missing. */
async function loadRecentAuthors(
  db: Database,
  { accountKey, action }: { accountKey: string; action: RunAction },
  candidates: readonly LedgerTarget[],
  pepper: string,
  now: Date,
): Promise<RecentAuthors> {
  const { sameAuthorAfterMs } = actionRules[action];
  if (sameAuthorAfterMs === undefined) return noAuthors;
  /** Also as they are kept of customers who were erased. */
  const idsOf = ({ authorId }: LedgerTarget) => (authorId === undefined ? [] : [authorId, targetKeyOf(accountKey, authorId, pepper)]);
  const nameOf = ({ username }: LedgerTarget) => username.toLowerCase();
  const rows = await rowsOf<{ author_id: string | null; username: string }>(
    db,
    `select author_id, lower(target_username) as username from account_actions
     where account_key = $1 and action = $2 and reserved_at > $3 and state not in ('skipped', 'refused')
       and (author_id = any($4) or lower(target_username) = any($5))`,
    [accountKey, action, new Date(now.getTime() - sameAuthorAfterMs), candidates.flatMap(idsOf), candidates.map(nameOf)],
  );
  const known = new Set(rows.flatMap(({ author_id, username }) => [author_id ?? '', username]));
  return {
    hasRecent: (target) => [...idsOf(target), nameOf(target)].some((author) => known.has(author)),
    add: (target) => [...idsOf(target), nameOf(target)].forEach((author) => known.add(author)),
  };
}
