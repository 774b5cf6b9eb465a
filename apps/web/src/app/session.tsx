import type { Session } from '@supabase/supabase-js';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { dropBareHash, forgetRecovery, isRecovery, keepRecovery } from '../lib/mail-link';
import { client } from '../lib/runtime';
import { forceRefresh, heartbeatMs, heartbeatRefreshSeconds, refreshDelayMs, refreshUnder } from './session-refresh';
import { forgetSubscriptions } from './subscription-memory';

interface SessionState {
  /** Whoever is signed in, every factor proven. */
  session: Session | null;
  /** The password was right and the code of the second factor is still missing; such a session opens nothing else. */
  pendingSession: Session | null;
  isLoading: boolean;
  /** The person came by a link for a forgotten password and must choose a new one. */
  isRecovering: boolean;
  endRecovery: () => void;
  /** The session is being ended. */
  isLeaving: boolean;
  /** The person ended the session themselves, and is on the way to the landing page. */
  hasLeft: boolean;
  forgetLeaving: () => void;
  /** Ends the session and forgets what this device kept for it; goes on even when the server does not answer in time. */
  signOut: (timeoutMs?: number) => Promise<void>;
}

const Context = createContext<SessionState | null>(null);

/** Whether the session still owes the code of a second factor (auth-v1, section 8). */
export function owesSecondFactor({ access_token: token, user }: Session): boolean {
  if (!user.factors?.some(({ status }) => status === 'verified')) return false;
  try {
    const [, claims = ''] = token.split('.');
    return (JSON.parse(atob(claims.replace(/-/g, '+').replace(/_/g, '/'))) as { aal?: string }).aal !== 'aal2';
  } catch {
    return true;
  }
}

const ownerKey = 'decola.drafts-of';

/** Notes whose half-done work stays in this tab after the session was lost. */
function markDrafts(userId: string): void {
  if (sessionStorage.length > 0) sessionStorage.setItem(ownerKey, userId);
}

/** Half-done work waits for the person who left it, and for nobody else. */
function handDraftsTo(userId: string): void {
  const owner = sessionStorage.getItem(ownerKey);
  const isRecovering = isRecovery();
  if (owner !== null && owner !== userId) sessionStorage.clear();
  if (isRecovering) keepRecovery();
  sessionStorage.removeItem(ownerKey);
}

/** Renews the session ahead of its end, and at every heartbeat that finds it nearly over. */
function useRefreshing(session: Session | null) {
  const expiresAt = session?.expires_at;
  useEffect(() => {
    if (!session) return;
    const ahead = setTimeout(() => void forceRefresh().catch(() => undefined), refreshDelayMs(session));
    return () => clearTimeout(ahead);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- a new object with the same end changes nothing
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
  const [isRecovering, setRecovering] = useState(isRecovery);
  const [isLeaving, setLeaving] = useState(false);
  const [hasLeft, setLeft] = useState(false);
  const owner = useRef<string | null>(null);

  const endRecovery = useCallback(() => {
    forgetRecovery();
    setRecovering(false);
  }, []);

  useEffect(() => {
    const { data } = client().auth.onAuthStateChange((event, next) => {
      dropBareHash();
      if (event === 'PASSWORD_RECOVERY') setRecovering(true);
      if (next === null) endRecovery();
      if (event === 'SIGNED_IN') setLeft(false);
      // What was read for one person is never shown to the next.
      if (owner.current !== null && owner.current !== next?.user.id) queryClient.clear();
      if (next) handDraftsTo(next.user.id);
      else if (owner.current !== null) markDrafts(owner.current);
      owner.current = next?.user.id ?? null;
      setCurrent(next);
      setLoading(false);
    });
    return () => data.subscription.unsubscribe();
  }, [queryClient, endRecovery]);

  useRefreshing(current);

  const signOut = useCallback(
    async (timeoutMs = 5_000) => {
      setLeaving(true);
      setLeft(true);
      const late = new Promise((resolve) => setTimeout(resolve, timeoutMs));
      await Promise.race([client().auth.signOut(), late]).catch(() => undefined);
      // Takes the session off this device at once. What the server says to it may never come, and is not waited for.
      client()
        .auth.signOut({ scope: 'local' })
        .catch(() => undefined);
      queryClient.clear();
      sessionStorage.clear();
      forgetSubscriptions();
      setCurrent(null);
      setRecovering(false);
      setLeaving(false);
    },
    [queryClient],
  );
  const forgetLeaving = useCallback(() => setLeft(false), []);

  const value = useMemo(() => {
    const isPending = current !== null && owesSecondFactor(current);
    return {
      session: isPending ? null : current,
      pendingSession: isPending ? current : null,
      isLoading,
      isRecovering,
      endRecovery,
      isLeaving,
      hasLeft,
      forgetLeaving,
      signOut,
    };
  }, [current, isLoading, isRecovering, endRecovery, isLeaving, hasLeft, forgetLeaving, signOut]);
  return <Context value={value}>{children}</Context>;
}

export function useSession(): SessionState {
  const state = useContext(Context);
  if (!state) throw new Error('SessionProvider is missing');
  return state;
}

/** The person who is signed in; only below a route that requires one. */
export function useUser() {
  const { session } = useSession();
  if (!session) throw new Error('nobody is signed in');
  return session.user;
}
