import type { SiteProblem } from '../sites/judge-reply.js';
import { isOfCalls, keepsCallsOut } from '../sites/pick-up.js';

/** Longest pause that a site may ask for. */
const longestAskedSeconds = 86_400;
/** Pauses differ by up to this part, so that deliveries that failed together are not repeated together. */
const jitter = 0.1;
/** Attempts before a delivery is blocked by a problem that only the owner can solve. */
const triesOfRefusals = 2;

/** Problems that pass by themselves. */
const passing: ReadonlySet<SiteProblem> = new Set([
  'dns',
  'timeout',
  'connection',
  'too_many',
  'site_down',
  'busy',
  'unknown_article',
  'picture',
]);

/** What follows a failed attempt. */
export type NextStep =
  | { kind: 'retry'; afterSeconds: number }
  | { kind: 'waiting_pickup' }
  | { kind: 'blocked' }
  | { kind: 'given_up' }
  | { kind: 'gone' }
  | { kind: 'edited_by_owner' }
  | { kind: 'withdrawn' };

export interface FailedAttempt {
  code: SiteProblem;
  retryAfterSeconds: number | null;
  /** Attempts made so far, with this one. */
  attempt: number;
  /** How many of them in a row, with this one, met a problem that only the owner can solve. */
  refusals: number;
  /** Whether the site's plugin can be expected to ask for the article. */
  hasPickup: boolean;
  /** Seconds between the attempts; after the last one it is given up. */
  pauses: readonly number[];
  /** From 0 to 1. */
  chance: number;
}

export const isPassing = (code: SiteProblem): boolean => passing.has(code);

/**
 * Timeouts, 429, 5xx and lost answers climb the ladder; a problem that only the owner can solve is met twice before the delivery is blocked. Where the plugin
 * asks by itself, nothing ends because our calls do not get in.
 */
export function nextStep({ code, retryAfterSeconds, attempt, refusals, hasPickup, pauses, chance }: FailedAttempt): NextStep {
  if (code === 'gone') return { kind: 'gone' };
  if (code === 'edited_by_owner') return { kind: 'edited_by_owner' };
  if (code === 'trashed') return { kind: 'withdrawn' };
  if (hasPickup && keepsCallsOut(code)) return { kind: 'waiting_pickup' };
  if (!isPassing(code) && refusals >= triesOfRefusals) return { kind: 'blocked' };
  const pause = pauses[attempt - 1];
  if (pause === undefined && hasPickup && isOfCalls(code)) return { kind: 'waiting_pickup' };
  if (pause === undefined) return { kind: isPassing(code) ? 'given_up' : 'blocked' };
  const varied = pause * (1 + jitter * (2 * chance - 1));
  return { kind: 'retry', afterSeconds: Math.max(varied, Math.min(retryAfterSeconds ?? 0, longestAskedSeconds)) };
}
