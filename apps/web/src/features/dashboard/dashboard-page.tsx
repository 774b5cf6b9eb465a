import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import { toast } from 'sonner';
import { useUser } from '../../app/session';
import { historyQuery, subscriptionQuery, useSubscription } from '../../app/subscription';
import { Failure, Waiting } from '../../components/ui/surface';
import { usePageTitle } from '../../lib/page-title';
import { PlanPicker } from '../plans/plan-picker';
import { UpgradeDialog } from '../plans/upgrade-dialog';
import { AutomationList } from './automation-list';
import { SuccessProgress } from './success-progress';
import { ToolGrid } from './tool-grid';

export function DashboardPage() {
  usePageTitle('Dashboard');
  const user = useUser();
  const subscription = useSubscription();
  const isSubscribed = subscription.data?.subscribed ?? false;
  // Only who has no subscription is asked about earlier ones.
  const history = useQuery({ ...historyQuery(user.id), enabled: !isSubscribed });
  const { isCelebrating, endCelebration, isAwaited } = usePaymentReturn(isSubscribed);
  const isUnknown = subscription.isPending || (!isSubscribed && (isAwaited || history.isPending));
  return (
    <>
      <SuccessProgress isOpen={isCelebrating} onDone={endCelebration} />
      {isSubscribed ? (
        <Dashboard />
      ) : isUnknown ? (
        <Waiting text="Verificando sua assinatura" />
      ) : subscription.isError || history.isError ? (
        <Failure
          text="Não foi possível verificar sua assinatura."
          onRetry={() => void Promise.all([subscription.refetch(), history.refetch()])}
        />
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
    <div className="grid grid-cols-1 gap-8">
      <header className="text-center">
        <h1 className="text-3xl sm:text-4xl">Assine para começar</h1>
        <p className="mx-auto mt-2 max-w-xl text-pretty text-muted">Escolha um plano. Você pode trocar ou cancelar quando quiser.</p>
      </header>
      <PlanPicker subscription={subscription.data ?? null} />
    </div>
  );
}

const lookEveryMs = 1_500;
const lookForMs = 20_000;

/**
 * Reads what the payment page added to the address, and takes it away again. After a payment the news of it may still be on its way:
 * for some seconds the subscription is asked again, and nobody is sent to buy a second time.
 */
function usePaymentReturn(isSubscribed: boolean) {
  const [params, setParams] = useSearchParams();
  const queryClient = useQueryClient();
  const { id: userId } = useUser();
  const [isCelebrating, setCelebrating] = useState(params.get('success') === 'true');
  const [isExpected, setExpected] = useState(isCelebrating);
  useEffect(() => {
    if (!params.has('success') && !params.has('canceled')) return;
    if (params.get('success') === 'true') {
      void queryClient.invalidateQueries();
    } else if (params.get('canceled') === 'true') {
      toast.error('Pagamento cancelado', { description: 'Você pode tentar novamente quando quiser.' });
    }
    setParams({}, { replace: true });
  }, [params, setParams, queryClient]);
  const isAwaited = isExpected && !isSubscribed;
  useEffect(() => {
    if (!isAwaited) return;
    const { queryKey } = subscriptionQuery(userId);
    const looking = setInterval(() => void queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false }), lookEveryMs);
    const giveUp = setTimeout(() => setExpected(false), lookForMs);
    return () => {
      clearInterval(looking);
      clearTimeout(giveUp);
    };
  }, [isAwaited, queryClient, userId]);
  return { isCelebrating, endCelebration: () => setCelebrating(false), isAwaited };
}

function Dashboard() {
  const [isUpgrading, setUpgrading] = useState(false);
  const openUpgrade = () => setUpgrading(true);
  return (
    <div className="grid grid-cols-1 gap-10">
      <section aria-labelledby="tools">
        <h1 id="tools" className="text-2xl sm:text-3xl">
          Ferramentas
        </h1>
        <ToolGrid onNoSlots={openUpgrade} />
      </section>
      <AutomationList onMoreSlots={openUpgrade} />
      <UpgradeDialog isOpen={isUpgrading} onClose={() => setUpgrading(false)} />
    </div>
  );
}
