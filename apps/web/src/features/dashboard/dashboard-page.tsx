import { type AutomationRow, dashboardTools, wizardCatalogue } from '@decola/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router-dom';
import { toast } from 'sonner';
import { usePageTitle } from '../../app/layout';
import { useUser } from '../../app/session';
import { historyQuery, useSlots, useSubscription } from '../../app/subscription';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';
import { Badge, Card, Failure, Skeleton, Waiting } from '../../components/ui/surface';
import { PlanPicker } from '../plans/plan-picker';
import { AutomationItem } from './automation-item';
import { automationsQuery, dependentsOf, extractionsQuery, useDeleteAutomation } from './automations';
import { SuccessProgress } from './success-progress';
import { UpgradeDialog } from '../plans/upgrade-dialog';

export function DashboardPage() {
  usePageTitle('Dashboard');
  const user = useUser();
  const subscription = useSubscription();
  const history = useQuery(historyQuery(user.id));
  const [isCelebrating, setCelebrating] = usePaymentReturn();

  if (subscription.isPending || (subscription.data && !subscription.data.subscribed && history.isPending))
    return <Waiting text="Verificando sua assinatura" />;
  const state = subscription.data ?? null;
  return (
    <>
      <SuccessProgress isOpen={isCelebrating} onDone={() => setCelebrating(false)} />
      {state?.subscribed ? (
        <Dashboard />
      ) : history.data ? (
        <Navigate to="/assinatura-cancelada" replace />
      ) : (
        <div className="grid gap-6">
          <header className="text-center">
            <h1 className="text-3xl">Assine para começar</h1>
            <p className="mt-2 text-muted">Escolha um plano. Você pode trocar ou cancelar quando quiser.</p>
          </header>
          {subscription.isError ? (
            <Failure text="Não foi possível verificar sua assinatura." onRetry={() => void subscription.refetch()} />
          ) : (
            <PlanPicker subscription={state} />
          )}
        </div>
      )}
    </>
  );
}

/** Reads what the payment page added to the address, and takes it away again. */
function usePaymentReturn() {
  const [params, setParams] = useSearchParams();
  const queryClient = useQueryClient();
  const [isCelebrating, setCelebrating] = useState(params.get('success') === 'true');
  useEffect(() => {
    if (!params.has('success') && !params.has('canceled')) return;
    if (params.get('success') === 'true') {
      void queryClient.invalidateQueries();
    } else if (params.get('canceled') === 'true') {
      toast.error('Pagamento cancelado', { description: 'Você pode tentar novamente quando quiser.' });
    }
    setParams({}, { replace: true });
  }, [params, setParams, queryClient]);
  return [isCelebrating, setCelebrating] as const;
}

function Dashboard() {
  const slots = useSlots();
  const [isUpgrading, setUpgrading] = useState(false);
  const free = slots.data ?? 0;
  return (
    <div className="grid grid-cols-1 gap-10">
      <section aria-labelledby="tools">
        <h1 id="tools" className="text-2xl sm:text-3xl">
          Ferramentas
        </h1>
        <ul className="mt-4 grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
          {dashboardTools.map((type) => {
            const tool = wizardCatalogue[type];
            const hasRoom = free >= 1;
            return (
              <li key={type} className="flex flex-col rounded-2xl border border-line bg-surface p-5">
                <div className="flex items-start justify-between gap-3">
                  <h2 className="text-lg">{tool.title}</h2>
                  <Badge>{tool.slotCost === 1 ? '1 slot' : `${tool.slotCost} slots`}</Badge>
                </div>
                <p className="mt-1 mb-4 text-[15px] text-muted">{tool.description}</p>
                {slots.isPending ? (
                  <Skeleton className="mt-auto h-11" />
                ) : hasRoom ? (
                  <Button asChild className="mt-auto">
                    <Link to={`/automation/${type}`}>Use agora</Link>
                  </Button>
                ) : (
                  <Button className="mt-auto" variant="outline" aria-disabled onClick={() => setUpgrading(true)}>
                    Sem slots
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      </section>
      <Automations onMoreSlots={() => setUpgrading(true)} />
      <UpgradeDialog isOpen={isUpgrading} onClose={() => setUpgrading(false)} />
    </div>
  );
}

function Automations({ onMoreSlots }: { onMoreSlots: () => void }) {
  const { id: userId } = useUser();
  const automations = useQuery(automationsQuery(userId));
  const extractions = useQuery(extractionsQuery(userId));
  const [toDelete, setToDelete] = useState<AutomationRow | null>(null);
  return (
    <section aria-labelledby="automations">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="automations" className="text-2xl">
          Suas automações
        </h2>
        <Button variant="outline" onClick={onMoreSlots}>
          Adicionar mais slots
        </Button>
      </div>
      <div className="mt-4">
        {automations.isPending && (
          <div className="grid gap-3">
            <Skeleton className="h-36" />
            <Skeleton className="h-36" />
          </div>
        )}
        {automations.isError && <Failure text="Não foi possível carregar suas automações." onRetry={() => void automations.refetch()} />}
        {automations.data?.length === 0 && (
          <Card className="text-center">
            <p className="font-display text-lg font-semibold">Nenhuma automação configurada</p>
            <p className="mt-1 text-muted">Escolha uma ferramenta acima e siga três passos curtos.</p>
          </Card>
        )}
        {automations.data && automations.data.length > 0 && (
          <ul className="grid grid-cols-1 gap-3">
            {automations.data.map((automation) => (
              <AutomationItem
                key={automation.id}
                automation={automation}
                extraction={extractions.data?.find(({ automation_id }) => automation_id === automation.id)}
                onDelete={() => setToDelete(automation)}
              />
            ))}
          </ul>
        )}
      </div>
      <DeleteDialog
        automation={toDelete}
        dependents={toDelete ? dependentsOf(toDelete, automations.data ?? [], extractions.data ?? []) : []}
        onClose={() => setToDelete(null)}
      />
    </section>
  );
}

function DeleteDialog({
  automation,
  dependents,
  onClose,
}: {
  automation: AutomationRow | null;
  dependents: readonly AutomationRow[];
  onClose: () => void;
}) {
  const remove = useDeleteAutomation();
  const confirm = () => {
    if (!automation) return;
    remove.mutate(automation.id, {
      onSuccess: () => {
        toast.success('Automação excluída');
        onClose();
      },
      onError: () => toast.error('Erro ao excluir automação'),
    });
  };
  return (
    <Dialog
      isOpen={automation !== null}
      onClose={onClose}
      title="Excluir automação"
      description={`"${automation?.name ?? ''}" e os dados coletados por ela serão apagados. Não dá para desfazer.`}
    >
      {dependents.length > 0 && (
        <div className="mb-5 rounded-xl bg-warning-soft p-4 text-warning">
          <p className="font-semibold">Estas automações usam os dados dela:</p>
          <ul className="mt-2 max-h-[200px] list-disc overflow-y-auto pl-5">
            {dependents.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
          </ul>
        </div>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="outline" onClick={onClose}>
          Cancelar
        </Button>
        <Button variant="danger" onClick={confirm} isBusy={remove.isPending}>
          {dependents.length > 0 ? 'Excluir mesmo assim' : 'Excluir'}
        </Button>
      </div>
    </Dialog>
  );
}
