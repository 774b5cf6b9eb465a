import type { Session } from '@supabase/supabase-js';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { client } from '../lib/runtime';

interface SessionState {
  session: Session | null;
  isLoading: boolean;
  /** The person came by a link for a forgotten password and must choose a new one. */
  isRecovering: boolean;
  /** Ends the session; goes on even when the server does not answer in time. */
  signOut: (timeoutMs?: number) => Promise<void>;
}

const Context = createContext<SessionState | null>(null);

const refreshUnderSeconds = 600;
const heartbeatMs = 10 * 60_000;

export function SessionProvider({ children }: { children: ReactNode }) {
  const [session, setSession] = useState<Session | null>(null);
  const [isLoading, setLoading] = useState(true);
  const [isRecovering, setRecovering] = useState(false);

  useEffect(() => {
    const { data } = client().auth.onAuthStateChange((event, next) => {
      if (event === 'PASSWORD_RECOVERY') setRecovering(true);
      if (event === 'USER_UPDATED' || event === 'SIGNED_OUT') setRecovering(false);
      setSession(next);
      setLoading(false);
    });
    const heartbeat = setInterval(() => {
      void client()
        .auth.getSession()
        .then(({ data: { session: current } }) => {
          const left = (current?.expires_at ?? 0) - Date.now() / 1000;
          if (current && left < refreshUnderSeconds) void client().auth.refreshSession();
        });
    }, heartbeatMs);
    return () => {
      data.subscription.unsubscribe();
      clearInterval(heartbeat);
    };
  }, []);

  const signOut = useCallback(async (timeoutMs = 5_000) => {
    const late = new Promise((resolve) => setTimeout(resolve, timeoutMs));
    await Promise.race([client().auth.signOut(), late]).catch(() => undefined);
    // Takes the session off this device at once. What the server says to it may never come, and is not waited for.
    client()
      .auth.signOut({ scope: 'local' })
      .catch(() => undefined);
    setSession(null);
  }, []);

  const value = useMemo(() => ({ session, isLoading, isRecovering, signOut }), [session, isLoading, isRecovering, signOut]);
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
