/**
 * What a refresh does:
 * - `rotate`: answer with the next token;
 * - `repeat`: answer with the active token again;
 * - `outdated`: refuse;
 * - `stolen`: refuse and end the session;
 * - `unknown`: refuse, because no such token was ever issued.
 */
export type RefreshVerdict = 'rotate' | 'repeat' | 'outdated' | 'stolen' | 'unknown';

/**
 * Decides about a genuine refresh token (auth-v1, 4).
 * @param behind by how many refreshes the token is older than the active one
 * @param isOfLowerAal whether the token was issued before the session reached aal2
 */
export function refreshVerdict(behind: number, msSinceRefresh: number, reuseMs: number, isOfLowerAal = false): RefreshVerdict {
  if (behind < 0) return 'unknown';
  if (behind === 0) return 'rotate';
  // A token from before the second factor must not give the aal2 session to anybody, but another tab may still hold it for a moment.
  if (isOfLowerAal) return msSinceRefresh < reuseMs ? 'outdated' : 'stolen';
  // The token just before the active one: the client lost our answer. Older ones are harmless only while several tabs may refresh at once.
  return behind === 1 || msSinceRefresh < reuseMs ? 'repeat' : 'stolen';
}
