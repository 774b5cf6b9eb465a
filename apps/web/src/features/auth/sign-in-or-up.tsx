import { type PlanKey, planTerms } from '@decola/contracts';
import { useState } from 'react';
import { Button } from '../../components/ui/button';
import { Notice } from '../../components/ui/surface';
import { Tabs } from '../../components/ui/tabs';
import { chosenPlan } from '../../lib/chosen-plan';
import { formatPrice } from '../../lib/format';
import { ForgotForm } from './forgot-form';
import { Frame } from './frame';
import { SignInForm } from './sign-in-form';
import { SignUpForm } from './sign-up-form';
import { authPageTexts, forgotTexts, proposedTexts, welcomeTexts } from './texts';

const modes = ['sign-in', 'sign-up', 'forgot'] as const;
type Mode = (typeof modes)[number];
const tabs = (['sign-in', 'sign-up'] as const).map((value) => ({ value, label: authPageTexts.tabs[value] }));

/** Text below the sign-up heading: slots and price of the chosen plan. It leaves out the plan's name, because the landing page uses other names. */
function leadOfSignUp(plan: PlanKey | null): string {
  if (plan === null || planTerms[plan].trialDays > 0) return welcomeTexts.trial;
  const { maxSlots, priceCents } = planTerms[plan];
  return proposedTexts.chosenPlan(maxSlots, formatPrice(priceCents));
}

interface SignInOrUpProps {
  /** Query of the address: `mode` and `plan`. */
  params: URLSearchParams;
  /** @param replace whether the new address replaces this one in the browser's history */
  onParams: (params: URLSearchParams, replace: boolean) => void;
  /** The message about the mail's link that led here. */
  linkText?: string | null;
  /** That link was refused. */
  isRefused?: boolean;
}

/** The forms of people who have no session: sign in, sign up, recover a password. It depends neither on the router nor on the session. */
export function SignInOrUp({ params, onParams, linkText = null, isRefused = false }: SignInOrUpProps) {
  const [email, setEmail] = useState('');
  const [mustConfirm, setMustConfirm] = useState(false);
  const mode = modes.find((known) => known === params.get('mode')) ?? 'sign-in';
  const plan = chosenPlan(params);
  const go = (next: Mode, { replace = true } = {}) => {
    const kept = new URLSearchParams(params);
    if (next === 'sign-in') kept.delete('mode');
    else kept.set('mode', next);
    onParams(kept, replace);
  };
  const sharedEmail = { email, onEmail: setEmail };
  const leads = { 'sign-in': authPageTexts.continue, 'sign-up': leadOfSignUp(plan), forgot: forgotTexts.hint };
  return (
    <Frame
      title={authPageTexts.titles[mode]}
      pageTitle={mode === 'forgot' ? authPageTexts.titles.forgot : authPageTexts.pageTitle}
      lead={leads[mode]}
      key={mode === 'forgot' ? 'forgot' : 'sign-in'}
    >
      {linkText && (
        <div role="alert">
          <Notice tone={isRefused ? 'warning' : 'success'}>
            <p className="font-semibold">{linkText}</p>
            {isRefused && mode !== 'forgot' && (
              <>
                <p className="mt-1">{authPageTexts.refusedLink.advice}</p>
                <Button variant="secondary" className="mt-3 mb-1" onClick={() => go('forgot', { replace: false })}>
                  {authPageTexts.refusedLink.recover}
                </Button>
              </>
            )}
          </Notice>
        </div>
      )}
      {!linkText && mustConfirm && mode === 'sign-in' && (
        <div role="status">
          <Notice tone="success">{authPageTexts.confirmEmail(email)}</Notice>
        </div>
      )}
      {mode === 'forgot' ? (
        <ForgotForm {...sharedEmail} onBack={() => go('sign-in')} />
      ) : (
        <Tabs label={authPageTexts.tabs.label} tabs={tabs} value={mode} onChange={go}>
          {mode === 'sign-in' ? (
            <SignInForm {...sharedEmail} onForgot={() => go('forgot', { replace: false })} />
          ) : (
            <SignUpForm
              {...sharedEmail}
              plan={plan}
              onCreated={(isUnconfirmed) => {
                setMustConfirm(isUnconfirmed);
                go('sign-in');
              }}
            />
          )}
        </Tabs>
      )}
    </Frame>
  );
}
