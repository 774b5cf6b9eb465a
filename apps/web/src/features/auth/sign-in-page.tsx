import type { SupabaseClient } from '@supabase/supabase-js';
import { type ComponentType, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Waiting } from '../../components/ui/surface';
import { loadClient } from '../../lib/auth-request';
import { startRecovery } from '../../lib/mail-link';
import { SignInOrUp } from './sign-in-or-up';

const loadToaster = async () => (await import('../../components/ui/toaster')).Toaster;

interface SignInPageProps {
  /** Query of the address. */
  search: string;
  /** Called once, when the person begins to use a form. */
  onPrepare: () => void;
  /** Called once, when there is a session; its second factor may be missing. */
  onSession: () => void;
}

/**
 * `/auth` for a visitor without a session. It is prerendered and loads no API client; that follows as soon as the person focuses or sends a form, so
 * that it is there when the form is sent.
 */
export function SignInPage({ search, onPrepare, onSession }: SignInPageProps) {
  const [params, setParams] = useState(() => new URLSearchParams(search));
  const [Toaster, setToaster] = useState<ComponentType | null>(null);
  const [hasSession, setHasSession] = useState(false);
  const isPreparing = useRef(false);
  const stopWatching = useRef<(() => void) | null>(null);

  const watchSession = (auth: SupabaseClient['auth']) => {
    const { data } = auth.onAuthStateChange((event, session) => {
      if (session === null) return;
      stopWatching.current?.();
      // The app reads this when it starts.
      if (event === 'PASSWORD_RECOVERY') startRecovery();
      setHasSession(true);
      onSession();
    });
    stopWatching.current = () => data.subscription.unsubscribe();
  };
  const prepare = () => {
    if (isPreparing.current) return;
    isPreparing.current = true;
    onPrepare();
    Promise.all([loadClient(), loadToaster()])
      .then(([{ auth }, loaded]) => {
        setToaster(() => loaded);
        watchSession(auth);
      })
      .catch(() => {
        // Tried again when the next field is focused, or when a form is sent, which reports the failure.
        isPreparing.current = false;
      });
  };
  useEffect(() => () => stopWatching.current?.(), []);
  // The person may have focused a field of the prerendered page before.
  const prepareIfInUse = useEffectEvent(() => {
    if (document.activeElement?.closest('form')) prepare();
  });
  useEffect(() => prepareIfInUse(), []);

  useEffect(() => {
    const follow = () => setParams(new URLSearchParams(window.location.search));
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, []);
  const go = (next: URLSearchParams, replace: boolean) => {
    const query = next.toString();
    window.history[replace ? 'replaceState' : 'pushState'](window.history.state, '', window.location.pathname + (query && `?${query}`));
    setParams(next);
  };

  if (hasSession) return <Waiting />;
  return (
    <div className="contents" onFocus={prepare} onPointerDown={prepare} onSubmitCapture={prepare}>
      <SignInOrUp params={params} onParams={go} />
      {Toaster && <Toaster />}
    </div>
  );
}
