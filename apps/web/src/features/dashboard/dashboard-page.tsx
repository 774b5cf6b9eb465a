import { useQuery } from '@tanstack/react-query';
import { memo, useCallback, useState } from 'react';
import { Navigate } from 'react-router-dom';
import { Failure, Skeleton, Waiting } from '../../components/ui/surface';
import { usePageTitle } from '../../lib/page-title';
import { useUser } from '../../session/session';
import { historyQuery, useSubscription } from '../../session/subscription';
import { PlanPicker } from '../plans/plan-picker';
import { UpgradeDialog } from '../plans/upgrade-dialog';
import { ArticlesLink } from './articles-link';
import { AutomationList } from './automation-list';
import { useAutomations } from './automations';
import { Greeting } from './greeting';
import { usePaymentReturn } from './payment-return';
import { ResultsPanel } from './results-panel';
import { SuccessProgress } from './success-progress';
import { dashboardTexts as texts } from './texts';
import { ToolCards } from './tool-cards';
import { ToolRow } from './tool-row';

export function DashboardPage() {
  usePageTitle(texts.pageTitle);
  const user = useUser();
  const subscription = useSubscription();
  const isSubscribed = subscription.data?.subscribed ?? false;
  // Earlier subscriptions matter only to people without a current one.
  const history = useQuery({ ...historyQuery(user.id), enabled: !isSubscribed });
  const { isCelebrating, endCelebration, isAwaitingPayment } = usePaymentReturn();
  const isUnknown = subscription.isPending || (!isSubscribed && (isAwaitingPayment || history.isPending));
  return (
    <>
      <SuccessProgress isOpen={isCelebrating} onDone={endCelebration} />
      {isSubscribed ? (
        <Dashboard />
      ) : isUnknown ? (
        <Waiting text={texts.checking} />
      ) : subscription.isError || history.isError ? (
        <Failure text={texts.checkFailed} onRetry={() => void Promise.all([subscription.refetch(), history.refetch()])} />
      ) : history.data ? (
        <Navigate to="/assinatura-cancelada" replace />
      ) : (
        <FirstPlan />
      )}
    </>
  );
}

function FirstPlan() {
  const subscription = useSubscription();
  return (
    <div className="grid grid-cols-1 gap-7">
      <header className="grid gap-1.5">
        <h1 className="text-2xl">{texts.firstPlan.title}</h1>
        <p className="max-w-2xl text-muted">{texts.firstPlan.lead}</p>
      </header>
      <PlanPicker subscription={subscription.data ?? null} />
    </div>
  );
}

/**
 * New customers see the tools first; for others the page begins with the state of their automations. Not rendered again when only the address
 * changes, as it does with each part of the list.
 */
const Dashboard = memo(function Dashboard() {
  const [isUpgrading, setUpgrading] = useState(false);
  const openUpgrade = useCallback(() => setUpgrading(true), []);
  const automations = useAutomations(useUser().id);
  const { list, isError } = automations;
  const isNew = list?.length === 0;
  return (
    <div className="grid grid-cols-1 gap-11 lg:gap-14">
      <div className="grid grid-cols-1 gap-5 lg:gap-7">
        <Greeting list={list} />
        {isNew ? (
          <>
            <ToolCards onNoSlots={openUpgrade} />
            <ArticlesLink />
          </>
        ) : list ? (
          <ResultsPanel list={list} />
        ) : (
          !isError && <Skeleton className="h-96 rounded-panel lg:h-76" />
        )}
      </div>
      {!isNew && (
        <section aria-labelledby="tools">
          <h2 id="tools" className="mb-4 text-xl">
            {texts.title}
          </h2>
          {list || isError ? <ToolRow onNoSlots={openUpgrade} /> : <Skeleton className="h-34 rounded-2xl" />}
          <ArticlesLink />
        </section>
      )}
      <AutomationList automations={automations} onMoreSlots={openUpgrade} />
      <UpgradeDialog isOpen={isUpgrading} onClose={() => setUpgrading(false)} />
    </div>
  );
});
