import type { ActionOutcome, LedgerTarget, RunAction, SkipReason } from '@decola/contracts';
import type { Database } from '@decola/database';
import type { ToolLimits } from './run-module.js';

/** What decides about a ledger entry that was looked at. */
export interface LedgerEntry {
  state: 'reserved' | 'not_confirmed' | 'requested';
  action: RunAction;
  reservedAt: Date;
  /** When the decisive click was announced; null when it never was, so that the action cannot have happened. */
  triedAt: Date | null;
  /** When a look first saw that the action has not happened; null when none did. */
  firstNegativeAt: Date | null;
  /** Number of looks before this one. */
  looks: number;
}

/** What the ledger asks of one action, besides its key: an account does the same action to a target only once. */
export interface ActionRules {
  /** The same target may get the action again after this time. Absent: never. */
  againAfterMs?: number;
  /** Another target of the same author may get the action after this time. Absent: at once. */
  sameAuthorAfterMs?: number;
  /** Whether a later visit of a page can tell what became of a try. */
  canBeLookedUp: boolean;
  /** Why candidates must not get the action, by their id. Candidates who may are absent. */
  refusals?(
    db: Database,
    accountKey: string,
    candidates: readonly LedgerTarget[],
    limits: ToolLimits,
    now: Date,
  ): Promise<Map<string, SkipReason>>;
  /** Skips of the action which show that the customer decided about the person themselves: the person goes onto the keep list. */
  ownChoiceSkips?: readonly SkipReason[];
  /** The same for a look after a try. */
  isOwnChoice?(entry: LedgerEntry, seen: ActionOutcome): boolean;
}
