import { type ReactNode, useRef, useState } from 'react';
import { Button } from '../../components/ui/button';
import { Lamp } from '../../components/ui/lamp';
import { focusSoon } from '../../lib/focus-soon';
import { formatAgo, formatRelativeTime } from '../../lib/relative-time';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { accountNameOf, healthOf, waitsForSession } from '../instagram-accounts/account-health';
import { AccountInitials } from '../instagram-accounts/account-initials';
import { accountLamp } from '../instagram-accounts/account-lamp';
import { PasteSession } from '../instagram-accounts/paste-session';
import { type InstagramAccount, useChangeAccount } from '../instagram-accounts/stopped-accounts';
import { OwnPause } from './own-pause';
import { accountHeaderTexts as texts, ownPauseTexts } from './texts';

interface AccountHeaderProps {
  userId: string;
  account: InstagramAccount;
  /** Number of automations that run with the account, and of all that use it. */
  running: number;
  automations: number;
  isAwaited: boolean;
  timeZone: string;
  now: Date;
}

/** Who the account is, how it is, and what the customer may do with it: give it a new session, pause it, go on. */
export function AccountHeader({ userId, account, running, automations, isAwaited, timeZone, now }: AccountHeaderProps) {
  const [open, setOpen] = useState<'session' | 'pause' | null>(null);
  const sessionOpener = useRef<HTMLButtonElement>(null);
  const pauseOpener = useRef<HTMLButtonElement>(null);
  const change = useChangeAccount(userId);
  const failureToast = useErrorToast();
  const name = accountNameOf(account.username);
  const health = healthOf(account);
  const [lamp, words] = accountLamp(account, running, isAwaited);
  // The notice above asks for the session then.
  const isAsked = waitsForSession(account);
  const facts = [
    !isAsked && (account.session_checked_at ? texts.checked(formatAgo(account.session_checked_at, now, timeZone)) : texts.unchecked),
    health === 'paused' && account.paused_until && texts.back(formatRelativeTime(account.paused_until, now, timeZone)),
    account.warmup_day !== null && texts.warmUp(account.warmup_day, account.warmup_days),
  ].filter(Boolean);
  const close = () => {
    setOpen(null);
    focusSoon(open === 'session' ? sessionOpener : pauseOpener);
  };
  const resume = () => {
    failureToast.clear();
    change.mutate(
      { id: account.id, patch: { paused_until: null } },
      {
        onSuccess: () => {
          toast.success(ownPauseTexts.resumed.title, { description: ownPauseTexts.resumed.text });
          focusSoon(pauseOpener);
        },
        onError: (failure) =>
          failureToast.show(ownPauseTexts.resumeFailed.title, { description: failure.message || ownPauseTexts.resumeFailed.text }),
      },
    );
  };
  return (
    <header className="grid grid-cols-1 gap-4 px-4 py-5 sm:px-6 md:grid-cols-[minmax(0,1fr)_auto] md:items-center lg:px-7 lg:py-6">
      <div className="flex min-w-0 items-center gap-3.5">
        <AccountInitials name={name} className="size-14 text-lg" />
        <div className="min-w-0">
          <h2 className="text-xl [overflow-wrap:anywhere]">{name}</h2>
          <Lamp state={lamp} className="-ml-[3px]">
            {words}
          </Lamp>
          {facts.length > 0 && <p className="text-sm text-muted">{facts.join(' · ')}</p>}
        </div>
      </div>
      {open === null && (
        <div className="flex flex-wrap gap-2">
          {!isAsked && (
            <Button ref={sessionOpener} variant="secondary" onClick={() => setOpen('session')}>
              {texts.replace}
            </Button>
          )}
          {health === 'paused' ? (
            <Button ref={pauseOpener} variant="ink" isBusy={change.isPending} onClick={resume}>
              {ownPauseTexts.resume}
            </Button>
          ) : (
            <Button ref={pauseOpener} variant="secondary" onClick={() => setOpen('pause')}>
              {ownPauseTexts.open}
            </Button>
          )}
        </div>
      )}
      {open === 'session' && (
        <Opened title={texts.replacing.title}>
          <p className="text-md text-muted">{texts.replacing.text(automations)}</p>
          <div>
            <PasteSession userId={userId} account={account} onClose={close} />
          </div>
        </Opened>
      )}
      {open === 'pause' && (
        <Opened title={ownPauseTexts.title}>
          <OwnPause userId={userId} account={account} timeZone={timeZone} onClose={close} />
        </Opened>
      )}
    </header>
  );
}

function Opened({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 gap-3 border-t border-line pt-5 md:col-span-2">
      <h3 className="text-lg">{title}</h3>
      {children}
    </div>
  );
}
