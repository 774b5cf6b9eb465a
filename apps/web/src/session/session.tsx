import type { Session } from '@supabase/supabase-js';
import { useQueryClient } from '@tanstack/react-query';
import pTimeout from 'p-timeout';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { client } from '../lib/api-client';
import { clearRecovery, isRecoveryPending, removeEmptyHash, startRecovery } from '../lib/mail-link';
import { clearReportedLocale } from './reported-locale';
import { forceRefresh, heartbeatMs, heartbeatRefreshSeconds, refreshDelayMs, refreshUnder } from './session-refresh';
import { clearCachedSubscriptions } from './subscription-cache';
import { tokenClaims } from './token-claims';

interface SessionState {
  /** The signed-in session, with every factor verified. */
  session: Session | null;
  /** A session whose second factor is not verified yet; it gives access to nothing else. */
  pendingSession: Session | null;
  isLoading: boolean;
  /** The person opened a recovery link and must choose a new password. */
  isRecovering: boolean;
  endRecovery: () => void;
  /** Signing out is in progress. */
  isSigningOut: boolean;
  /** The person signed out themselves, and is being redirected to the landing page. */
  hasSignedOut: boolean;
  clearSignedOut: () => void;
  /** Signs out and clears what this device stored for the session, even when the server does not answer within `timeoutMs`. */
  signOut: (timeoutMs?: number) => Promise<void>;
}

const Context = createContext<SessionState | null>(null);

/** Whether the code of a second factor is still required (auth-v1, section 8). */
export function needsSecondFactor({ access_token: token, user }: Session): boolean {
  return Boolean(user.factors?.some(({ status }) => status === 'verified')) && tokenClaims(token)?.aal !== 'aal2';
}

const ownerKey = 'decola.drafts-of';

/** Records whose drafts stay in this tab after the session was lost. */
function assignDrafts(userId: string): void {
  if (sessionStorage.length > 0) sessionStorage.setItem(ownerKey, userId);
}

/** Keeps the drafts of this tab if they belong to the user, else deletes them. */
function keepDraftsOf(userId: string): void {
  const owner = sessionStorage.getItem(ownerKey);
  const isRecovering = isRecoveryPending();
  if (owner !== null && owner !== userId) sessionStorage.clear();
  if (isRecovering) startRecovery();
  sessionStorage.removeItem(ownerKey);
}

/** Refreshes the session before it expires, and at every heartbeat that finds it close to expiry. */
function useSessionRefresh(session: Session | null) {
  const expiresAt = session?.expires_at;
  useEffect(() => {
    if (!session) return;
    const ahead = setTimeout(() => void forceRefresh().catch(() => undefined), refreshDelayMs(session));
    return () => clearTimeout(ahead);
    // oxlint-disable-next-line react/exhaustive-deps -- a new session object with the same expiry needs no new timer
  }, [expiresAt]);
  useEffect(() => {
    const heartbeat = setInterval(() => void refreshUnder(heartbeatRefreshSeconds).catch(() => undefined), heartbeatMs);
    return () => clearInterval(heartbeat);
  }, []);
}

export function SessionProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const [current, setCurrent] = useState<Session | null>(null);
  const [isLoading, setLoading] = useState(true);
  const [isRecovering, setRecovering] = useState(isRecoveryPending);
  const [isSigningOut, setSigningOut] = useState(false);
  const [hasSignedOut, setSignedOut] = useState(false);
  const owner = useRef<string | null>(null);

  const endRecovery = useCallback(() => {
    clearRecovery();
    setRecovering(false);
  }, []);

  useEffect(() => {
    const { data } = client().auth.onAuthStateChange((event, next) => {
      removeEmptyHash();
      if (event === 'PASSWORD_RECOVERY') setRecovering(true);
      if (next === null) endRecovery();
      if (event === 'SIGNED_IN') setSignedOut(false);
      // Cached data of one person must never be shown to the next.
      if (owner.current !== null && owner.current !== next?.user.id) queryClient.clear();
      if (next) keepDraftsOf(next.user.id);
      else if (owner.current !== null) assignDrafts(owner.current);
      owner.current = next?.user.id ?? null;
      setCurrent(next);
      setLoading(false);
    });
    return () => data.subscription.unsubscribe();
  }, [queryClient, endRecovery]);

  useSessionRefresh(current);

  const signOut = useCallback(
    async (timeoutMs = 5_000) => {
      setSigningOut(true);
      setSignedOut(true);
      await pTimeout(client().auth.signOut(), { milliseconds: timeoutMs }).catch(() => undefined);
      // Removes the session from this device at once, without waiting for the server.
      client()
        .auth.signOut({ scope: 'local' })
        .catch(() => undefined);
      queryClient.clear();
      sessionStorage.clear();
      clearCachedSubscriptions();
      clearReportedLocale();
      setCurrent(null);
      setRecovering(false);
      setSigningOut(false);
    },
    [queryClient],
  );
  const clearSignedOut = useCallback(() => setSignedOut(false), []);

  const value = useMemo(() => {
    const isPending = current !== null && needsSecondFactor(current);
    return {
      session: isPending ? null : current,
      pendingSession: isPending ? current : null,
      isLoading,
      isRecovering,
      endRecovery,
      isSigningOut,
      hasSignedOut,
      clearSignedOut,
      signOut,
    };
  }, [current, isLoading, isRecovering, endRecovery, isSigningOut, hasSignedOut, clearSignedOut, signOut]);
  return <Context value={value}>{children}</Context>;
}

export function useSession(): SessionState {
  const state = useContext(Context);
  if (!state) throw new Error('SessionProvider is missing');
  return state;
}

/** The signed-in user; only for components below `RequireSession`. */
export function useUser() {
  const { session } = useSession();
  if (!session) throw new Error('nobody is signed in');
  return session.user;
}
