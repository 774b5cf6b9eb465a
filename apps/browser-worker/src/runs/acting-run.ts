import type { LedgerTarget, RunAction, SkipReason } from '@decola/contracts';
import type { ActionResult, AnnounceTry } from '../driver/action-result.js';

/** A source of candidates to act on. `next` may be called while the tab is on any page, and may leave it on another one. */
export interface Candidates<Candidate = LedgerTarget> {
  /** Null when there are no more. */
  next(): Promise<Candidate | null>;
  /** Why the source could not be used; null when it could. */
  readonly problem: SkipReason | null;
  /** Offset at which the next run continues, every candidate before it having been decided; null for a source without offsets. */
  readonly place: number | null;
  close(): void;
}

/** One action for a candidate. It is reserved before it is done, and done at most once. */
export interface Step {
  readonly action: RunAction;
  readonly target: LedgerTarget;
  /** What the target's author wrote, where that makes them a target. */
  readonly said?: string;
  /** Documents that the action opens, with the one that proves its outcome. */
  readonly views: number;
  /** Does the action. `announce` has to be called right before the click that sends it. */
  act(announce: AnnounceTry): Promise<ActionResult>;
}

/** A run that acts. */
export interface ActingRun {
  /** Where the candidates come from. */
  readonly source: Pick<Candidates, 'problem' | 'place' | 'close'>;
  /**
   * The steps for the next candidate, in their order; null when there is no further candidate. Each step is taken from the iterable after the one
   * before it was done, so a generator can decide by what came of that.
   */
  next(): Promise<Iterable<Step> | null>;
}

/** A run that does the same steps for every candidate of a source. */
export function actOn<Candidate>(candidates: Candidates<Candidate>, stepsFor: (candidate: Candidate) => Iterable<Step>): ActingRun {
  return {
    source: candidates,
    next: async () => {
      const candidate = await candidates.next();
      return candidate === null ? null : stepsFor(candidate);
    },
  };
}

/** Candidates that the plan itself names. */
export function namedCandidates<Candidate>(named: readonly Candidate[]): Candidates<Candidate> {
  const waiting = [...named];
  return { problem: null, place: null, next: () => Promise.resolve(waiting.shift() ?? null), close: () => undefined };
}
