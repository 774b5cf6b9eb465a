import { lazy, Suspense, useId, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '../../components/ui/button';
import { Skeleton } from '../../components/ui/surface';
import { classes } from '../../lib/classes';
import { focusSoon } from '../../lib/focus-soon';
import { accountNameOf, healthOf, waitsForSession } from './account-health';
import { ResolveStop } from './resolve-stop';
import { stopTitle } from './stop-title';
import { type InstagramAccount, isResolvableByCustomer } from './stopped-accounts';
import { accountNoticeTexts as texts } from './texts';
import { accountPath } from './use-chosen-account';

const PasteSession = lazy(() => import('./paste-session').then((module) => ({ default: module.PasteSession })));

/** Number of names that are listed; the others are counted. */
const mostNames = 5;

/** The names as a list in Portuguese, for example `A, B e C`. */
function joined(names: readonly string[]): string {
  const shown = names.length > mostNames ? [...names.slice(0, mostNames), texts.more(names.length - mostNames)] : names;
  return new Intl.ListFormat('pt-BR').format(shown);
}

/** Id of the notice, the target of links on the cards of automations that wait for the account. */
export const accountNoticeId = (accountId: string) => `conta-${accountId}`;

interface AccountNoticeProps {
  userId: string;
  account: InstagramAccount;
  /** Names of the automations that resume by themselves when the account does. */
  waiting: readonly string[];
  /** Whether the account has finished lists, which stay as they are. */
  hasFinishedLists: boolean;
  /** Only the first notice of a page has the primary button. */
  isFirst: boolean;
  /** False on the page of the account itself. */
  hasLink?: boolean;
}

/** Explains the stop of an account: what happened, which automations resume afterwards, and a field for a new session. */
export function AccountNotice({ userId, account, waiting, hasFinishedLists, isFirst, hasLink = true }: AccountNoticeProps) {
  const [isPasting, setPasting] = useState(false);
  const title = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const health = healthOf(account);
  const name = accountNameOf(account.username);
  const isYours = health === 'needs-you';
  const needsSession = waitsForSession(account);
  const revives =
    waiting.length > 0 && (needsSession && !isResolvableByCustomer(account.pause_cause) ? texts.revivedByPaste : texts.revives);
  const close = () => {
    setPasting(false);
    focusSoon(opener);
  };
  return (
    <section
      id={accountNoticeId(account.id)}
      aria-labelledby={title}
      tabIndex={-1}
      data-lamp={isYours ? 'warn' : health === 'resting' ? 'stop' : 'off'}
      className={classes(
        'grid grid-cols-[16px_minmax(0,1fr)] gap-x-3.5 border-b border-line p-4 outline-none focus-visible:inset-ring-2 focus-visible:inset-ring-focus sm:px-6 sm:py-5 lg:px-7',
        isYours && 'bg-linear-to-r from-warning-soft to-transparent to-70%',
      )}
    >
      <span className="light mt-[9px]" aria-hidden />
      <div className="grid gap-3 lg:grid-cols-[minmax(0,1fr)_auto] lg:gap-x-6">
        <div className="grid max-w-[70ch] content-start gap-1">
          <h2 id={title} className="text-lg font-stretch-normal [overflow-wrap:anywhere]">
            {stopTitle(account, name)}
          </h2>
          {account.pause_reason && <p className="text-md text-muted">{account.pause_reason}</p>}
          {(revives || hasFinishedLists) && (
            <p className="text-md [overflow-wrap:anywhere]">
              {[revives && revives(joined(waiting), waiting.length), hasFinishedLists && texts.finishedStay].filter(Boolean).join(' ')}
            </p>
          )}
          {hasLink && (
            <Link to={accountPath(account.id)} className="link inline-flex min-h-11 items-center justify-self-start text-md">
              {texts.details}
            </Link>
          )}
        </div>
        {needsSession && !isPasting && (
          <div className="flex flex-wrap content-start items-center gap-2">
            {isResolvableByCustomer(account.pause_cause) && (
              <ResolveStop userId={userId} account={account} variant={isFirst ? 'primary' : 'secondary'} />
            )}
            <Button
              ref={opener}
              variant={isFirst && !isResolvableByCustomer(account.pause_cause) ? 'primary' : 'secondary'}
              className="max-w-full py-1 whitespace-normal"
              onClick={() => setPasting(true)}
            >
              {texts.paste}
            </Button>
          </div>
        )}
        {isPasting && (
          <Suspense fallback={<Skeleton className="h-56 lg:col-span-2" />}>
            <PasteSession userId={userId} account={account} onClose={close} />
          </Suspense>
        )}
      </div>
    </section>
  );
}
