import { lazy, Suspense, useId, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '../../components/ui/button';
import { Dial } from '../../components/ui/dial';
import { Notice, Skeleton } from '../../components/ui/surface';
import type { ListedAutomation } from '../dashboard/automations';
import { lastOutcome } from '../dashboard/what-it-does';
import { accountNameOf, healthOf, waitsForSession } from '../instagram-accounts/account-health';
import { ResolveStop } from '../instagram-accounts/resolve-stop';
import { stopTitle } from '../instagram-accounts/stop-title';
import { type InstagramAccount, isResolvableByCustomer } from '../instagram-accounts/stopped-accounts';
import { accountPath } from '../instagram-accounts/use-chosen-account';
import { type Steps, stopTexts as texts } from './texts';

const PasteSession = lazy(() => import('../instagram-accounts/paste-session').then((module) => ({ default: module.PasteSession })));

/** Whether the customer switched the automation off, and nothing else stopped it. */
export const isSwitchedOff = ({ cause, status }: ListedAutomation): boolean => cause === null && status === 'paused';

interface StopPanelProps {
  userId: string;
  automation: ListedAutomation;
  /** The account that the automation waits for; undefined when the automation itself was stopped. */
  account: InstagramAccount | undefined;
}

/** Why an automation is stopped, what was not lost, and what to do. */
export function StopPanel({ userId, automation, account }: StopPanelProps) {
  return account ? (
    <AccountStop userId={userId} automation={automation} account={account} />
  ) : isSwitchedOff(automation) ? (
    automation.reason !== null && <Notice tone="neutral">{automation.reason}</Notice>
  ) : (
    <OwnStop automation={automation} />
  );
}

const frame = 'lit grid overflow-hidden rounded-panel inset-ring-[1.5px] inset-ring-danger-lamp';

/** A stop of the automation alone: the plan has fewer slots, or its list or post is gone. */
function OwnStop({ automation }: { automation: ListedAutomation }) {
  const title = useId();
  return (
    <section aria-labelledby={title} className={`${frame} gap-2 p-4 sm:p-7`}>
      <h2 id={title} className="text-xl">
        {texts.own}
      </h2>
      <p className="max-w-[70ch] text-muted [overflow-wrap:anywhere]">{automation.reason}</p>
      <p className="max-w-[70ch] text-muted">{texts.notLost(null)}</p>
      {automation.cause === 'plan' && (
        <Button asChild className="mt-2 justify-self-start">
          <Link to="/planos">{texts.plans}</Link>
        </Button>
      )}
    </section>
  );
}

function AccountStop({ userId, automation, account }: StopPanelProps & { account: InstagramAccount }) {
  const [isPasting, setPasting] = useState(false);
  const title = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const name = accountNameOf(account.username);
  const isResolvable = isResolvableByCustomer(account.pause_cause);
  const needsYou = waitsForSession(account);
  const close = () => {
    setPasting(false);
    // The button can take the focus only after React has rendered it again.
    setTimeout(() => opener.current?.focus());
  };
  return (
    <section aria-labelledby={title} className={`${frame} min-[56.25rem]:grid-cols-2`}>
      <div className="grid content-start gap-2 p-4 py-5 sm:p-7">
        <h2 id={title} className="text-xl text-balance [overflow-wrap:anywhere]">
          {stopTitle(account, name)}
        </h2>
        {account.pause_reason && <p className="text-muted">{account.pause_reason}</p>}
        <p className="text-muted">{texts.notLost(lastOutcome(automation)?.text ?? null)}</p>
        {!needsYou && healthOf(account) !== 'paused' && <p className="font-semibold">{texts.backAlone}</p>}
      </div>
      <div className="grid content-start gap-4 p-4 pt-0 sm:px-7 sm:pb-7 min-[56.25rem]:pt-6 min-[56.25rem]:pl-0">
        {needsYou && <StepList steps={stepsOf(account.pause_cause)(name)} />}
        {isPasting ? (
          <Suspense fallback={<Skeleton className="h-56" />}>
            <PasteSession userId={userId} account={account} onClose={close} />
          </Suspense>
        ) : (
          <div className="flex flex-wrap items-center gap-2">
            {needsYou && isResolvable && <ResolveStop userId={userId} account={account} variant="primary" />}
            {needsYou && (
              <Button ref={opener} variant={isResolvable ? 'secondary' : 'primary'} onClick={() => setPasting(true)}>
                {texts.paste}
              </Button>
            )}
            <Button asChild variant="quiet">
              <Link to={accountPath(account.id)}>{texts.account}</Link>
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}

function stepsOf(cause: string | null): (account: string) => Steps {
  if (cause === 'challenge') return texts.confirm;
  return cause === 'suspended' ? texts.appeal : texts.newSession;
}

function StepList({ steps }: { steps: Steps }) {
  return (
    <ol aria-label={texts.steps} className="grid gap-1">
      {steps.map(([title, text], index) => (
        <li key={title} className="grid min-h-14 grid-cols-[44px_minmax(0,1fr)] items-center gap-3.5 text-md">
          <Dial state="idle" size="small">
            <b className="text-sm text-ink">{index + 1}</b>
          </Dial>
          <p className="min-w-0 [overflow-wrap:anywhere]">
            <strong className="block font-[620]">{title}</strong>
            <span className="text-sm text-muted">{text}</span>
          </p>
        </li>
      ))}
    </ol>
  );
}
