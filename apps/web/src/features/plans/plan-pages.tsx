import { useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router-dom';
import { useUser } from '../../app/session';
import { historyQuery, useSubscription } from '../../app/subscription';
import { Waiting } from '../../components/ui/surface';
import { usePageTitle } from '../../lib/page-title';
import { PlanPicker } from './plan-picker';
import { SubscriptionCard } from './subscription-summary';

export function PlansPage() {
  usePageTitle('Planos');
  const { id } = useUser();
  const subscription = useSubscription();
  const history = useQuery(historyQuery(id));
  if (subscription.isPending) return <Waiting text="Verificando sua assinatura" />;
  const state = subscription.data ?? null;
  return (
    <div className="grid grid-cols-1 gap-8">
      <header className="text-center">
        <h1 className="text-3xl sm:text-4xl">Planos</h1>
        <p className="mx-auto mt-2 max-w-xl text-pretty text-muted">
          Todas as ferramentas em todos os planos. Muda só quantas automações você pode ter ao mesmo tempo.
        </p>
      </header>
      {state?.subscribed && <SubscriptionCard state={state} />}
      <PlanPicker subscription={state} hasHistory={history.data ?? false} />
    </div>
  );
}

/** For who had a subscription and has none: everything is kept, and one choice away. */
export function CanceledPage() {
  usePageTitle('Assinatura cancelada');
  const { id } = useUser();
  const subscription = useSubscription();
  const history = useQuery(historyQuery(id));
  if (subscription.isPending || history.isPending) return <Waiting text="Verificando sua assinatura" />;
  if (subscription.data?.subscribed && subscription.data.max_slots > 0) return <Navigate to="/adm" replace />;
  const hasHistory = history.data ?? true;
  return (
    <div className="grid grid-cols-1 gap-8">
      <header className="text-center">
        <h1 className="text-3xl sm:text-4xl">Sua assinatura terminou</h1>
        <p className="mx-auto mt-2 max-w-xl text-pretty text-muted">
          Suas automações e seus dados continuam guardados. Escolha um plano para voltar de onde parou.
        </p>
      </header>
      <PlanPicker subscription={subscription.data ?? null} hideFree={hasHistory} hasHistory={hasHistory} />
    </div>
  );
}
