import { planTerms, type PlanKey } from '@decola/contracts';
import { type ReactNode, StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { SignInPage } from '../features/auth/sign-in-page';
import { pathWithPlan, signUpPath } from '../lib/chosen-plan';
import { type PublicConfiguration, setConfiguration } from '../lib/configuration';
import { LandingPage } from '../pages/landing/landing-page';

/** A placeholder for a value of the configuration, which the gateway replaces with the value. */
const placeholder = (key: keyof PublicConfiguration) => `%%${key}%%`;

const nothing = () => undefined;
const signIn = (target: string) => (
  <SignInPage search={new URL(target, 'http://prerendered').search} onPrepare={nothing} onSession={nothing} />
);
/** The sign-in page as our own links open it. With any other query it is rendered in the browser. */
const signInTargets = ['/auth', signUpPath, ...(Object.keys(planTerms) as PlanKey[]).map((plan) => pathWithPlan(signUpPath, plan))];

/**
 * Pages as HTML, by path and query, rendered at build. The browser shows them before any script has loaded, and React then hydrates them
 * (`start-landing.tsx`, `start-sign-in.tsx`).
 */
export function prerendered(): Record<string, string> {
  setConfiguration({
    publishableKey: '',
    productName: placeholder('productName'),
    supportEmail: placeholder('supportEmail'),
    privacyEmail: placeholder('privacyEmail'),
    dpoEmail: placeholder('dpoEmail'),
    company: placeholder('company'),
  });
  const pages: [target: string, page: ReactNode][] = [
    ['/', <LandingPage key="/" />],
    ...signInTargets.map((target): [string, ReactNode] => [target, signIn(target)]),
  ];
  return Object.fromEntries(pages.map(([target, page]) => [target, renderToString(<StrictMode>{page}</StrictMode>)]));
}
