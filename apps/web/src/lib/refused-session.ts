import type { SupabaseClient } from '@supabase/supabase-js';

/** Whose refusal says something about the session; at `auth/v1` a refusal is about what was typed. */
const behindTheDoor = /^\/(rest|functions|storage)\/v1\//;
/** A page asks for many things at once, and a renewed session needs a moment: one word about it is enough. */
const quietMs = 5_000;

/** A `fetch` that tells when a session is refused: it has expired, or was ended elsewhere. */
export function tellingRefusals(onRefused: () => void, send: typeof fetch = (input, init) => fetch(input, init)): typeof fetch {
  let toldAt = -Infinity;
  return async (input, init) => {
    const answer = await send(input, init);
    const address = input instanceof Request ? input.url : String(input);
    const now = performance.now();
    if (answer.status === 401 && behindTheDoor.test(new URL(address, window.location.origin).pathname) && now - toldAt > quietMs) {
      toldAt = now;
      onRefused();
    }
    return answer;
  };
}

/**
 * Renews the session after a refusal. One that was ended elsewhere cannot be renewed: then this browser is signed out, since the
 * client by itself would keep the token until it expires. Nothing happens while the server cannot be asked.
 */
export async function renewOrLeave({ auth }: Pick<SupabaseClient, 'auth'>): Promise<void> {
  try {
    const { error } = await auth.refreshSession();
    if (error?.status !== undefined && [400, 401, 403, 404].includes(error.status)) await auth.signOut({ scope: 'local' });
  } catch {
    // The next refusal brings us here again.
  }
}
