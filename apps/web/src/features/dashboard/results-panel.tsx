import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useMemo } from 'react';
import { Link } from 'react-router-dom';
import { Failure, Skeleton } from '../../components/ui/surface';
import { classes } from '../../lib/classes';
import { useUser } from '../../session/session';
import { AccountChips } from '../instagram-accounts/account-chips';
import { accountGrowthQuery, valuesOf } from '../instagram-accounts/account-growth';
import { AccountNotice } from '../instagram-accounts/account-notice';
import { accountUsageQuery } from '../instagram-accounts/account-usage';
import { GrowthTrend } from '../instagram-accounts/growth-trend';
import { instagramAccountsQuery } from '../instagram-accounts/stopped-accounts';
import { accountTexts, growthTexts, usageTexts } from '../instagram-accounts/texts';
import { TodayLimits } from '../instagram-accounts/today-limits';
import { accountPath, useChosenAccount } from '../instagram-accounts/use-chosen-account';
import { accountsAtWork } from './accounts-at-work';
import type { ListedAutomation } from './automations';
import { greetingTexts as texts } from './texts';
import { useNow } from './use-now';

/** Days of the line of followers. */
const shownDays = 7;

/** The state of the automations: stops that need the customer, the accounts, today's actions against the limits, followers. */
export function ResultsPanel({ list }: { list: readonly ListedAutomation[] }) {
  const { id: userId } = useUser();
  const accounts = useQuery(instagramAccountsQuery(userId));
  const usage = useQuery(accountUsageQuery(userId));
  const growth = useQuery(accountGrowthQuery(userId));
  const accountsTitle = useId();
  const now = useNow(60_000);
  const work = useMemo(() => accountsAtWork(list, accounts.data ?? []), [list, accounts.data]);
  const { chosen, choose } = useChosenAccount(accounts.data);
  return (
    <section aria-label={texts.results} className="lit relative overflow-hidden rounded-panel shadow-2">
      {work.stopped.map((account, index) => (
        <AccountNotice
          key={account.id}
          userId={userId}
          account={account}
          waiting={work.waiting.get(account.id) ?? []}
          hasFinishedLists={work.withFinishedLists.has(account.id)}
          isFirst={index === 0}
        />
      ))}
      <div className="grid md:grid-cols-2 lg:grid-cols-[20.75rem_minmax(0,1fr)_24.75rem]">
        <Gauge title={accountTexts.accounts} titleId={accountsTitle} className="md:col-span-2 lg:col-span-1 lg:px-4 lg:*:first:px-3">
          {accounts.data ? (
            chosen ? (
              <>
                <AccountChips
                  labelledBy={accountsTitle}
                  accounts={accounts.data}
                  chosen={chosen.id}
                  onChoose={choose}
                  running={work.running}
                  awaited={work.awaited}
                />
                <Link to={accountPath(chosen.id)} className="link inline-flex min-h-11 items-center text-sm lg:mx-3">
                  {accountTexts.details}
                </Link>
              </>
            ) : (
              <div className="lg:px-3">
                <p className="text-md font-semibold">{accountTexts.none.title}</p>
                <p className="mt-1 text-sm text-muted">{accountTexts.none.text}</p>
              </div>
            )
          ) : accounts.isError ? (
            <Failure text={accountTexts.loadFailed} onRetry={() => void accounts.refetch()} />
          ) : (
            <Skeleton className="h-15" />
          )}
        </Gauge>
        <Gauge title={usageTexts.title} hint={usageTexts.hint} className="border-t border-line lg:border-t-0 lg:border-l">
          {usage.isPending || accounts.isPending ? (
            <Skeleton className="h-44" />
          ) : (
            <TodayLimits usage={(usage.data ?? []).filter(({ instagram_account_id }) => instagram_account_id === chosen?.id)} />
          )}
        </Gauge>
        <Gauge title={growthTexts.title} className="border-t border-line md:border-l lg:border-t-0">
          {growth.isPending || accounts.isPending ? (
            <Skeleton className="h-44" />
          ) : (
            <GrowthTrend
              days={chosen ? valuesOf(growth.data ?? [], chosen.id, 'followers').slice(-shownDays) : []}
              metric="followers"
              now={now}
            />
          )}
        </Gauge>
      </div>
    </section>
  );
}

interface GaugeProps {
  title: string;
  titleId?: string;
  hint?: string;
  className?: string;
  children: ReactNode;
}

function Gauge({ title, titleId, hint, className, children }: GaugeProps) {
  return (
    <div className={classes('min-w-0 p-4 pb-5.5 sm:px-6 lg:px-7 lg:py-6', className)}>
      <div className="mb-3.5 flex items-baseline justify-between gap-3">
        <h2 id={titleId} className="text-sm leading-6 font-semibold font-stretch-normal tracking-normal text-muted">
          {title}
        </h2>
        {hint && <span className="text-xs text-muted">{hint}</span>}
      </div>
      {children}
    </div>
  );
}
