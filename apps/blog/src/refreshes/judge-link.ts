import type { FailureOfCall } from '@decola/outgoing-http';

/** What one check says about a link. `unknown`: it proves nothing, such as a refusal, an error of the server or no answer in time. */
export type LinkVerdict = 'alive' | 'gone' | 'unknown';

/** Errors of the resolver that say that there is no such name; others, such as EAI_AGAIN, are the resolver's own trouble. */
const noSuchName: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_NODATA', 'EAI_NONAME']);

export const judgeStatus = (status: number): LinkVerdict =>
  status === 404 || status === 410 ? 'gone' : status >= 200 && status < 400 ? 'alive' : 'unknown';

/** @param cause of the failed call, as Node or undici told it */
export function judgeFailure(failure: FailureOfCall, cause: unknown): LinkVerdict {
  const code = (cause as { code?: unknown } | undefined)?.code;
  return failure === 'dns' && typeof code === 'string' && noSuchName.has(code) ? 'gone' : 'unknown';
}

export interface LinkState {
  /** The first day of a row of checks without an answer that proves the page, `2026-12-31`. */
  deadSince: string | null;
  isDead: boolean;
}

/** A link is dead when it was gone on two days. Checks that prove nothing change nothing. */
export function linkAfter({ deadSince, isDead }: LinkState, verdict: LinkVerdict, day: string): LinkState {
  if (verdict === 'unknown') return { deadSince, isDead };
  if (verdict === 'alive') return { deadSince: null, isDead: false };
  return { deadSince: deadSince ?? day, isDead: isDead || (deadSince !== null && deadSince < day) };
}
