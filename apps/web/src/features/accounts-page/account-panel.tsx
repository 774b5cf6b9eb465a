import { useQuery } from '@tanstack/react-query';
import { formatDate } from '../../lib/format';
import { accountNameOf, healthOf } from '../instagram-accounts/account-health';
import { AccountNotice } from '../instagram-accounts/account-notice';
import { accountUsageQuery } from '../instagram-accounts/account-usage';
import type { InstagramAccount } from '../instagram-accounts/stopped-accounts';
import type { AccountsAtWork } from '../dashboard/accounts-at-work';
import { useNow } from '../dashboard/use-now';
import { AccountHeader } from './account-header';
import { Pair } from './block';
import { profileZoneQuery } from './chosen-time-zone';
import { Growth } from './growth';
import { KeptPeople } from './kept-people';
import { Limits } from './limits';
import { Pauses } from './pauses';
import { QuietHours } from './quiet-hours';
import { WarmUp } from './warm-up';

interface AccountPanelProps {
  userId: string;
  account: InstagramAccount;
  work: AccountsAtWork;
  /** Number of the customer's automations that use the account. */
  automations: number;
}

/** Everything about one account. */
export function AccountPanel({ userId, account, work, automations }: AccountPanelProps) {
  const now = useNow();
  const usage = useQuery(accountUsageQuery(userId));
  const profile = useQuery(profileZoneQuery(userId));
  // The services learn of a change of the zone a moment after the profile.
  const timeZone = profile.data?.time_zone ?? account.time_zone;
  const zone = profile.data ?? { time_zone: null, time_zone_chosen: false };
  const isStopped = ['needs-you', 'checking', 'resting'].includes(healthOf(account));
  const isProven = usage.data?.some(({ instagram_account_id: id }) => id === account.id) ?? account.session_checked_at !== null;
  return (
    <div className="lit relative min-w-0 overflow-hidden rounded-panel shadow-2">
      {isStopped && (
        <AccountNotice
          userId={userId}
          account={account}
          waiting={work.waiting.get(account.id) ?? []}
          hasFinishedLists={work.withFinishedLists.has(account.id)}
          isFirst
          hasLink={false}
        />
      )}
      <AccountHeader
        userId={userId}
        account={account}
        running={work.running.get(account.id) ?? 0}
        automations={automations}
        isAwaited={work.awaited.has(account.id)}
        timeZone={timeZone}
        now={now}
      />
      <Limits userId={userId} accountId={account.id} />
      <Growth userId={userId} accountId={account.id} timeZone={timeZone} now={now} />
      <Pair>
        <WarmUp account={account} isProven={isProven} halvedUntil={account.halved_until && formatDate(account.halved_until)} />
        <QuietHours userId={userId} account={account} zone={zone} timeZone={timeZone} now={now} />
      </Pair>
      <Pauses userId={userId} accountId={account.id} isToldAbove={isStopped} timeZone={timeZone} now={now} />
      <KeptPeople account={{ id: account.id, name: accountNameOf(account.username) }} />
    </div>
  );
}
