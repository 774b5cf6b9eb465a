import type { Session } from '@supabase/supabase-js';
import { client } from '../lib/api-client';

/** A session with fewer seconds left is refreshed before the subscription is checked. */
export const checkRefreshSeconds = 120;
/** A session with fewer seconds left is refreshed at a heartbeat. */
export const heartbeatRefreshSeconds = 600;
export const heartbeatMs = 10 * 60_000;
const refreshBeforeExpiryMs = 5 * 60_000;
const minRefreshDelayMs = 60_000;

export function secondsLeft(session: Session): number {
  return (session.expires_at ?? 0) - Date.now() / 1000;
}

/** Delay until the session is refreshed: five minutes before it expires, and at least one minute. */
export function refreshDelayMs(session: Session): number {
  return Math.max(minRefreshDelayMs, secondsLeft(session) * 1000 - refreshBeforeExpiryMs);
}

/** Refreshes the session when it has fewer seconds left. @returns the session to use from now on, null when nobody is signed in */
export async function refreshUnder(seconds: number): Promise<Session | null> {
  const { session } = (await client().auth.getSession()).data;
  return session && secondsLeft(session) < seconds ? forceRefresh() : session;
}

/** Refreshes the session, however long it is still valid. */
export async function forceRefresh(): Promise<Session | null> {
  return (await client().auth.refreshSession()).data.session;
}
