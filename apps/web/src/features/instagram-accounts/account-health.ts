import type { InstagramAccount } from './stopped-accounts';
import { accountTexts as texts } from './texts';

/**
 * `on`: the account works. `needs-you`: the customer must act before the account works again. `checking`: a session is being checked. `resting`: the
 * network stopped the account, which resumes by itself. `paused`: the customer paused it.
 */
export type AccountHealth = 'on' | 'needs-you' | 'checking' | 'resting' | 'paused';

/** Causes of stops that end with a new session, or with the same session after the customer has resolved the cause. */
const sessionCauses: ReadonlySet<string | null> = new Set(['challenge', 'suspended', 'session_ended', 'wrong_account']);

/** Whether an automation that was switched off for this cause waits for its account. */
export const isAccountCause = (cause: string | null): boolean => sessionCauses.has(cause);

export function healthOf({
  state,
  pause_cause: cause,
  next_check_at: nextCheckAt,
  resolved_at: resolvedAt,
}: InstagramAccount): AccountHealth {
  if (state === 'checking') return 'checking';
  if (sessionCauses.has(cause) || state === 'needs_session') return resolvedAt !== null && nextCheckAt !== null ? 'checking' : 'needs-you';
  if (cause === 'customer') return 'paused';
  return state === 'paused' ? 'resting' : 'on';
}

/** Whether only a new session, or the word that the old one works again, brings the account back. */
export const waitsForSession = (account: InstagramAccount): boolean => healthOf(account) === 'needs-you' || account.resolved_at !== null;

/** `@name`; a fixed text while the name is unknown or only a numeric id is known. */
export function accountNameOf(username: string | null | undefined): string {
  const bare = (username ?? '').replace(/^@/, '');
  return bare === '' || /^\d+$/.test(bare) ? texts.unnamed : `@${bare}`;
}
