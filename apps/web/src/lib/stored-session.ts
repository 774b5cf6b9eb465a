const keyPattern = /^sb-.+-auth-token$/;

function storedKey(): string | undefined {
  try {
    return Object.keys(localStorage).find((key) => keyPattern.test(key));
  } catch {
    return undefined;
  }
}

/**
 * Whether this browser has stored a session, checked without loading the auth client. The session may have expired: use it only to choose
 * the target of a link.
 */
export const hasStoredSession = (): boolean => storedKey() !== undefined;

/** A token that expires sooner is not used: the request would arrive too late. */
const marginSeconds = 60;

/**
 * The access token of the stored session, read without loading the auth client; null when nobody is signed in. With an expired token the auth client must
 * refresh the session first.
 */
export function storedAccessToken(): { token: string; isExpired: boolean } | null {
  try {
    const key = storedKey();
    if (key === undefined) return null;
    const session = JSON.parse(localStorage.getItem(key) ?? 'null') as { access_token?: unknown; expires_at?: unknown } | null;
    if (typeof session?.access_token !== 'string') return null;
    return { token: session.access_token, isExpired: Number(session.expires_at) - Date.now() / 1_000 <= marginSeconds };
  } catch {
    return null;
  }
}
