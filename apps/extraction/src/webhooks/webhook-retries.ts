/** What an attempt to deliver brought. `answer`: the HTTP status, whatever it says; `failure`: why there was none. */
export type AttemptResult = { status: number; retryAfter: string | null } | { failure: string };

/** What follows an attempt. */
export type NextStep = { kind: 'delivered' } | { kind: 'ended' } | { kind: 'failed' } | { kind: 'retry'; afterSeconds: number };

/** Longest pause that a server may ask for. */
const longestAskedSeconds = 86_400;
/** Pauses differ by up to this part, so that deliveries that failed together are not repeated together. */
const jitter = 0.1;

/**
 * Any 2xx is success, 410 ends the webhook, everything else is tried again.
 * @param attempts including this one
 * @param pauses seconds between the attempts; after the last one it is given up
 * @param chance from 0 to 1
 */
export function nextStep(result: AttemptResult, attempts: number, pauses: readonly number[], chance: number): NextStep {
  if ('status' in result) {
    if (result.status >= 200 && result.status < 300) return { kind: 'delivered' };
    if (result.status === 410) return { kind: 'ended' };
  }
  const pause = pauses[attempts - 1];
  if (pause === undefined) return { kind: 'failed' };
  const varied = pause * (1 + jitter * (2 * chance - 1));
  const asked = 'status' in result ? Number(result.retryAfter ?? 0) : 0;
  return { kind: 'retry', afterSeconds: Math.max(varied, Number.isFinite(asked) ? Math.min(asked, longestAskedSeconds) : 0) };
}
