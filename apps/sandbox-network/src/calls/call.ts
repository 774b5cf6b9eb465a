import type { Build } from '../build/build.js';
import type { CallName, OperationName } from '../build/operations.js';
import type { Account } from '../population/accounts.js';
import type { LedgerAction, Verdict } from '../state/ledger.js';
import type { Session } from '../state/sessions.js';
import type { Language } from '../texts/texts.js';
import type { Answer } from './objection-answers.js';

/** A call that was admitted: who makes it, from which build of the page, and what it asks. */
export interface Call {
  name: CallName;
  session: Session;
  viewer: Account;
  build: Build;
  language: Language;
  /** GraphQL only. */
  operation: OperationName | null;
  variables: Record<string, unknown>;
  verdicts: Verdict[];
  /** Its header carries a claim that an earlier answer set. */
  hasClaim: boolean;
  /** The refusal to send although the call takes effect; null for the usual answer. */
  refusedYetDone: Answer | null;
}

/** Fields of a form-encoded body. */
export type Form = Record<string, string | undefined>;

/** What a call is about: for the ledger, and for objections that are limited to one target. */
export interface Subject {
  action: LedgerAction;
  target: string | null;
  targetId: string | null;
}
