import { lazy, useEffect, useState } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { toast } from 'sonner';
import { Waiting } from '../components/ui/surface';
import { readMailLink, takeArrival } from '../lib/mail-link';
import { useSession } from './session';

const LandingPage = lazy(() => import('../pages/landing/landing-page').then((module) => ({ default: module.LandingPage })));

/**
 * `/` inside the app: the landing page, except for who came by the link of a mail, right or refused. What it means for them is said at
 * the door, which also leads on whoever is signed in.
 */
export function FrontPage() {
  const { hash, search } = useLocation();
  const { isLoading } = useSession();
  const [link] = useState(() => readMailLink(hash) ?? readMailLink(search));
  const [fragment] = useState(hash || search.replace(/^\?/, '#'));
  useEffect(() => {
    if (!isLoading && (takeArrival('signup') || takeArrival('email_change'))) toast.success('Email confirmado');
  }, [isLoading]);
  if (!link) return <LandingPage />;
  // The address stays as it is until the client has read it.
  if (isLoading) return <Waiting />;
  return <Navigate to={{ pathname: '/auth', hash: link.errorCode || link.isHalfWay ? fragment : '' }} replace />;
}
