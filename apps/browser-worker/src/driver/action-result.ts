import type { ActionOutcome, SkipReason } from '@decola/contracts';
import type { StopError } from './driver.errors.js';

export type Proof = Record<string, string | number | boolean | null>;

/** How one action ended. */
export interface ActionResult {
  /** `unknown` with a `stop` of our own: the click was made, and nobody saw what came of it. */
  readonly outcome: ActionOutcome;
  readonly skipReason: SkipReason | null;
  readonly proof: Proof;
  /** True for an action that was sent, also where it is reported as skipped. Default: false. */
  readonly isSent?: boolean;
  /** Set when the network objected meanwhile: then the run must try nothing more. */
  readonly stop: StopError | null;
}

/**
 * Called right before the click that sends an action; when it throws, the click is not made. It may be called twice when the page had to be
 * reloaded in between.
 * @param text what the action writes, for an action that writes something.
 */
export type AnnounceTry = (text?: string) => Promise<void>;

/** The target was not acted on. */
export function skipped(skipReason: SkipReason, proof: Proof = {}): ActionResult {
  return { outcome: 'skipped', skipReason, proof, stop: null };
}

/** What became of an earlier action. */
export function settledAs(outcome: ActionOutcome, proof: Proof): ActionResult {
  return { outcome, skipReason: null, proof, stop: null };
}

/**
 * What became of an action whose text nobody knows: it is announced with its text right before the click, so without one the click was not made. No
 * page can be searched for it; the ledger releases the target after two such answers.
 */
export function neverWritten(): ActionResult {
  return settledAs('not_confirmed', { settled: 'never_announced' });
}

/** The page does not tell what became of an earlier action. */
export function unknownOutcome(reason: string, proof: Proof = {}): ActionResult {
  return settledAs('unknown', { settled: reason, ...proof });
}
