import { useEffect } from 'react';
import { Navigate, useLocation, useSearchParams } from 'react-router-dom';
import { Waiting } from '../../components/ui/surface';
import { chosenPlan, pathWithPlan } from '../../lib/chosen-plan';
import { toast } from '../../lib/toast';
import { useMailLink } from '../../lib/use-mail-link';
import { useSession } from '../../session/session';
import { Frame } from './frame';
import { NewPasswordForm } from './new-password-form';
import { SecondFactorForm } from './second-factor-form';
import { SignInOrUp } from './sign-in-or-up';
import { authPageTexts } from './texts';

/** Path to open after signing in: the requested page if it is a path of this site, else the plan that was chosen on the landing page, else the dashboard. */
function destination(state: unknown, search: string): string {
  const from = (state as { from?: unknown } | null)?.from;
  if (typeof from === 'string' && /^\/(?![/\\])/.test(from) && !from.startsWith('/auth')) return from;
  const plan = chosenPlan(new URLSearchParams(search));
  return plan ? pathWithPlan('/planos', plan) : '/adm';
}

/** `/auth` inside the app: sign in, sign up (`?mode=sign-up`), recover a password (`?mode=forgot`). `?plan=` is the plan chosen on the landing page. */
export function AuthPage() {
  const { session, pendingSession, isLoading, isRecovering, endRecovery, signOut } = useSession();
  const location = useLocation();
  const [params, setParams] = useSearchParams();
  const { text: linkText, isRefused } = useMailLink();
  const isLeavingPage = session !== null && !isRecovering;
  useEffect(() => {
    // This page redirects at once: show the message about the link as a toast on the next page.
    if (isLeavingPage && linkText) (isRefused ? toast.error : toast.info)(linkText);
  }, [isLeavingPage, linkText, isRefused]);

  if (isLoading) return <Waiting />;
  if (pendingSession)
    return (
      <Frame title={authPageTexts.secondFactor} key="second-factor" keepsFocus>
        <SecondFactorForm factors={pendingSession.user.factors ?? []} onOtherAccount={() => void signOut()} />
      </Frame>
    );
  if (session && isRecovering)
    return (
      <Frame title={authPageTexts.newPassword} key="recovery">
        <NewPasswordForm email={session.user.email ?? ''} onDone={endRecovery} />
      </Frame>
    );
  if (session) return <Navigate to={destination(location.state, location.search)} replace />;
  return (
    <SignInOrUp
      params={params}
      onParams={(next, replace) => setParams(next, { replace, state: location.state as unknown })}
      linkText={linkText}
      isRefused={isRefused}
    />
  );
}
