import type { SupabaseClient } from '@supabase/supabase-js';

/** Paths whose 401 means that the session is invalid; a 401 of `auth/v1` is about the credentials that were typed. */
const sessionPaths = /^\/(rest|functions|storage)\/v1\//;
/** A page sends many requests at once: further 401s within this time are not reported. */
const reportEveryMs = 5_000;

/** A `fetch` that calls `onUnauthorized` when the server refuses the session, because it expired or was ended elsewhere. */
export function fetchReportingUnauthorized(
  onUnauthorized: () => void,
  send: typeof fetch = (input, init) => fetch(input, init),
): typeof fetch {
  let reportedAt = -Infinity;
  return async (input, init) => {
    const response = await send(input, init);
    const address = input instanceof Request ? input.url : String(input);
    const now = performance.now();
    if (
      response.status === 401 &&
      sessionPaths.test(new URL(address, window.location.origin).pathname) &&
      now - reportedAt > reportEveryMs
    ) {
      reportedAt = now;
      onUnauthorized();
    }
    return response;
  };
}

/**
 * Refreshes the session after a 401. A session that was ended elsewhere cannot be refreshed: then this browser is signed out, since the
 * client alone would keep the token until it expires. Does nothing while the server is unreachable.
 */
export async function refreshOrSignOut({ auth }: Pick<SupabaseClient, 'auth'>): Promise<void> {
  try {
    const { error } = await auth.refreshSession();
    if (error?.status !== undefined && [400, 401, 403, 404].includes(error.status)) await auth.signOut({ scope: 'local' });
  } catch {
    // The next 401 tries again.
  }
}
