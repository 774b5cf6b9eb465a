import { lazy, useEffect, useState } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { Waiting } from '../components/ui/surface';
import { chosenPlan, pathWithPlan } from '../lib/chosen-plan';
import { consumeMailLink, readMailLink } from '../lib/mail-link';
import { toast } from '../lib/toast';
import { useSession } from '../session/session';
import { frontPageTexts as texts } from './texts';

const LandingPage = lazy(() => import('../pages/landing/landing-page').then((module) => ({ default: module.LandingPage })));

/**
 * `/` inside the app: the landing page, except for visitors who opened a link of a mail. They are redirected to `/auth`, which explains a
 * refused link and redirects people who are signed in.
 */
export function FrontPage() {
  const { hash, search } = useLocation();
  const { isLoading } = useSession();
  const [link] = useState(() => readMailLink(hash) ?? readMailLink(search));
  const [fragment] = useState(hash || search.replace(/^\?/, '#'));
  useEffect(() => {
    if (!isLoading && (consumeMailLink('signup') || consumeMailLink('email_change'))) toast.success(texts.emailConfirmed);
  }, [isLoading]);
  if (!link) return <LandingPage />;
  // Wait: the auth client still reads its tokens from the URL.
  if (isLoading) return <Waiting />;
  const plan = chosenPlan(new URLSearchParams(search));
  const isUnfinished = link.errorCode !== null || link.isHalfConfirmed;
  return <Navigate to={(plan ? pathWithPlan('/auth', plan) : '/auth') + (isUnfinished ? fragment : '')} replace />;
}
