import { type ReactNode, useEffect } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { Waiting } from '../components/ui/surface';
import { useSession } from './session';
import { sessionTexts as texts } from './texts';

/**
 * Routes for people who are signed in. Everybody else is redirected to `/auth`, and back to the requested page after signing in.
 * Signing out from one of these routes leads to the landing page instead.
 * @param otherwise shown to a visitor without a session instead of the redirect
 */
export function RequireSession({ otherwise }: { otherwise?: ReactNode }) {
  const { session, isLoading, isSigningOut, hasSignedOut, clearSignedOut } = useSession();
  const { pathname, search, hash } = useLocation();
  useEffect(() => clearSignedOut, [clearSignedOut]);
  if (isLoading) return <Waiting />;
  if (isSigningOut) return <Waiting text={texts.signingOut} />;
  if (!session && hasSignedOut) return <Navigate to="/" replace />;
  if (!session && otherwise) return otherwise;
  if (!session) return <Navigate to="/auth" state={{ from: pathname + search + hash }} replace />;
  return <Outlet />;
}
