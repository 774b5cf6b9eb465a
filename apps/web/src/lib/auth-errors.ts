import type { AuthRefusal as Refusal } from './auth-request';
import { authAdvice, authErrorTexts, authToasts } from './texts';

/** What a person can do about a refusal of the auth service; null when there is nothing better than the service's own message. */
export function adviceFor({ code, status }: Refusal): string | null {
  if (status === undefined || status === 0) return code === undefined ? authErrorTexts.unreachable : (authAdvice[code] ?? null);
  if (status === 429 && !code) return authAdvice.over_request_rate_limit;
  return (code && authAdvice[code]) || null;
}

/** A refusal as one sentence: our advice if there is one, else the service's message. */
export function refusalText(error: Refusal): string {
  return adviceFor(error) ?? (error.message || authErrorTexts.unknown);
}

/**
 * Text of the toasts of sign-in, sign-up and recovery (specification, section 8): two messages are translated, others shown as received.
 */
export function toastText(error: Refusal): string {
  if (error.status === 0 || error.status === 429) return refusalText(error);
  return authToasts[error.message] ?? (error.message || authErrorTexts.unknown);
}
