import type { ActionOutcome, RunAction } from '@decola/contracts';
import type { LedgerEntry } from '../tools/action-rules.js';
import { actionRules } from '../tools/registry.js';

/*
 * A look is a visit of a page that finds out what became of a try: of one that has no outcome because its worker died, of one without
 * proof, or of a request (docs/decisions/0023-looks-after-tries.md).
 */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** A second negative look must come this long after the first one: the network may be slow or show an old page. */
const secondLookAfterMs = 5 * minuteMs;
/** Waits between looks that could not tell, by the number of looks before. After the last one we give up. */
const unknownWaitsMs = [10 * minuteMs, hourMs, 6 * hourMs, dayMs, 3 * dayMs, 7 * dayMs] as const;
/** A try without proof is looked at once, after this time. */
const laterProofAfterMs = hourMs;
/** Looks at a request come this long after it: people take their time to answer. */
const requestWaitsMs = [2 * dayMs, 7 * dayMs, 21 * dayMs] as const;

/** What to do with a ledger entry. `delete`: the action never happened, and the target may be proposed again. */
export type Settlement =
  | { kind: 'delete' }
  | { kind: 'settle'; state: 'confirmed' | 'requested' | 'not_confirmed'; nextLookAt: Date | null }
  | { kind: 'look_again'; nextLookAt: Date; firstNegativeAt: Date | null };

/** When to look at an outcome that a run itself reported; null when it is final. */
export function nextLookAfterReport(action: RunAction, outcome: ActionOutcome, at: Date): Date | null {
  if (!actionRules[action].canBeLookedUp) return null;
  if (outcome === 'not_confirmed') return new Date(at.getTime() + laterProofAfterMs);
  if (outcome === 'requested') return new Date(at.getTime() + requestWaitsMs[0]);
  return null;
}

/**
 * Decides about a ledger entry after a look. Pure. An entry is deleted only when its click was never announced and two looks some minutes apart
 * were negative: once tried, a target is not tried again. An action that no page shows is settled without proof at the first look.
 * @param seen `confirmed`: the action has happened; `not_confirmed`: it has not; `unknown`: the page could not tell
 */
export function settle(entry: LedgerEntry, seen: ActionOutcome, at: Date): Settlement {
  if (seen === 'confirmed') return { kind: 'settle', state: 'confirmed', nextLookAt: null };
  if (seen === 'requested') return { kind: 'settle', state: 'requested', nextLookAt: nextRequestLook(entry, at) };
  if (entry.state !== 'reserved') {
    // Declined, withdrawn or still without proof: the state stays, and a request is looked at again.
    const nextLookAt = entry.state === 'requested' ? nextRequestLook(entry, at) : null;
    return { kind: 'settle', state: entry.state, nextLookAt };
  }
  if (seen === 'not_confirmed') {
    const isSecond = entry.firstNegativeAt !== null && at.getTime() - entry.firstNegativeAt.getTime() >= secondLookAfterMs;
    if (isSecond) return entry.triedAt === null ? { kind: 'delete' } : { kind: 'settle', state: 'not_confirmed', nextLookAt: null };
    const firstNegativeAt = entry.firstNegativeAt ?? at;
    return { kind: 'look_again', nextLookAt: new Date(firstNegativeAt.getTime() + secondLookAfterMs), firstNegativeAt };
  }
  const wait = actionRules[entry.action].canBeLookedUp ? unknownWaitsMs[entry.looks] : undefined;
  if (wait === undefined) return { kind: 'settle', state: 'not_confirmed', nextLookAt: null };
  return { kind: 'look_again', nextLookAt: new Date(at.getTime() + wait), firstNegativeAt: entry.firstNegativeAt };
}

function nextRequestLook({ state, looks, reservedAt }: LedgerEntry, at: Date): Date | null {
  const wait = requestWaitsMs[state === 'requested' ? looks + 1 : 0];
  if (wait === undefined) return null;
  return new Date(Math.max(reservedAt.getTime() + wait, at.getTime() + hourMs));
}
