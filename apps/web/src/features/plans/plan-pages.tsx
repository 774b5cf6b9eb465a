import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router-dom';
import { Lamp } from '../../components/ui/lamp';
import { Failure, Waiting } from '../../components/ui/surface';
import { chosenPlan } from '../../lib/chosen-plan';
import { formatDate } from '../../lib/format';
import { usePageTitle } from '../../lib/page-title';
import { useUser } from '../../session/session';
import { historyQuery, useSubscription } from '../../session/subscription';
import { KeptAutomations } from './kept-automations';
import { PlanPicker } from './plan-picker';
import { SubscriptionCard } from './subscription-summary';
import { canceledPageTexts, plansPageTexts, proposedTexts } from './texts';

export function PlansPage() {
  usePageTitle(plansPageTexts.title);
  const { id } = useUser();
  const subscription = useSubscription();
  const history = useQuery(historyQuery(id));
  const [params] = useSearchParams();
  if (subscription.isPending || history.isPending) return <Waiting text={plansPageTexts.checking} />;
  const state = subscription.data ?? null;
  return (
    <div className="grid grid-cols-1 gap-7">
      <header className="grid gap-1.5">
        <h1 className="text-2xl">{plansPageTexts.title}</h1>
        <p className="max-w-2xl text-muted">{plansPageTexts.lead}</p>
      </header>
      {subscription.isError ? (
        <Failure text={plansPageTexts.checkFailed} onRetry={() => void subscription.refetch()} />
      ) : (
        <>
          {state?.subscribed && <SubscriptionCard state={state} />}
          <PlanPicker subscription={state} hasHistory={history.data ?? false} chosen={chosenPlan(params)} />
        </>
      )}
    </div>
  );
}

/** For people whose subscription has ended: their data is kept, and choosing a plan brings it back. Everybody else is sent to the dashboard. */
export function CanceledPage() {
  usePageTitle(canceledPageTexts.pageTitle);
  const { id } = useUser();
  const subscription = useSubscription();
  const history = useQuery(historyQuery(id));
  const [openedAt] = useState(() => Date.now());
  if (subscription.isPending || history.isPending) return <Waiting text={plansPageTexts.checking} />;
  if (subscription.data?.subscribed && subscription.data.max_slots > 0) return <Navigate to="/adm" replace />;
  if (subscription.isError || history.isError)
    return <Failure text={plansPageTexts.checkFailed} onRetry={() => void Promise.all([subscription.refetch(), history.refetch()])} />;
  if (!history.data) return <Navigate to="/adm" replace />;
  const end = subscription.data?.subscription_end;
  return (
    <div className="grid grid-cols-1 gap-7">
      <header className="grid max-w-[720px] gap-2.5">
        {end && Date.parse(end) < openedAt && <Lamp state="off">{proposedTexts.ended(formatDate(end))}</Lamp>}
        <h1 className="text-3xl">{canceledPageTexts.title}</h1>
        <p className="text-lg text-muted">{canceledPageTexts.lead}</p>
      </header>
      <PlanPicker subscription={subscription.data ?? null} hasHistory />
      <KeptAutomations />
      <p className="text-sm text-muted">
        {proposedTexts.data.before}{' '}
        <Link to="/minha-conta" className="-my-3 inline-block link py-3">
          {proposedTexts.data.link}
        </Link>{' '}
        {proposedTexts.data.after}
      </p>
    </div>
  );
}
