import type { Session } from '@supabase/supabase-js';
import { client } from '../lib/runtime';

/** A session with fewer seconds left is renewed before the subscription is asked for. */
export const checkRefreshSeconds = 120;
/** A session with fewer seconds left is renewed at a heartbeat. */
export const heartbeatRefreshSeconds = 600;
export const heartbeatMs = 10 * 60_000;
const refreshBeforeExpiryMs = 5 * 60_000;
const refreshAfterAtLeastMs = 60_000;

export function secondsLeft(session: Session): number {
  return (session.expires_at ?? 0) - Date.now() / 1000;
}

/** How long to wait until a session is renewed: five minutes before it expires, and never less than a minute. */
export function refreshDelayMs(session: Session): number {
  return Math.max(refreshAfterAtLeastMs, secondsLeft(session) * 1000 - refreshBeforeExpiryMs);
}

/** Renews the session when it has fewer seconds left. @returns the session that holds from now on, null when nobody is signed in */
export async function refreshUnder(seconds: number): Promise<Session | null> {
  const { session } = (await client().auth.getSession()).data;
  return session && secondsLeft(session) < seconds ? forceRefresh() : session;
}

/** Renews the session whatever it has left. */
export async function forceRefresh(): Promise<Session | null> {
  return (await client().auth.refreshSession()).data.session;
}
