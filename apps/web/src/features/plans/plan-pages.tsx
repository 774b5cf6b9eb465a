import { Navigate } from 'react-router-dom';
import { usePageTitle } from '../../app/layout';
import { type Subscription, useSubscription } from '../../app/subscription';
import { Badge, Card, type Tone, Waiting } from '../../components/ui/surface';
import { formatDate } from '../../lib/format';
import { PlanPicker } from './plans';

/** The one badge and sentence of a subscription: payment problem, cancelled, trial, active with or without renewal. */
export function subscriptionSummary(state: Subscription): { badge: string; tone: Tone; text: string } {
  const end = formatDate(state.subscription_end);
  if (state.is_past_due)
    return { badge: 'Pagamento pendente', tone: 'danger', text: `Houve um problema com o pagamento. Seu acesso vai até ${end}.` };
  if (state.is_canceled) return { badge: 'Cancelada', tone: 'warning', text: `Seu acesso vai até ${end}. A assinatura não será renovada.` };
  if (state.is_trial)
    return {
      badge: 'Período de teste',
      tone: 'brand',
      text: `Seu teste grátis termina em ${formatDate(state.trial_ends_at ?? state.subscription_end)}.`,
    };
  if (state.will_renew) return { badge: 'Ativa', tone: 'success', text: `Renova automaticamente em ${end}.` };
  return { badge: 'Ativa', tone: 'success', text: `Válida até ${end}.` };
}

export function PlansPage() {
  usePageTitle('Planos');
  const subscription = useSubscription();
  if (subscription.isPending) return <Waiting text="Verificando sua assinatura" />;
  const state = subscription.data ?? null;
  const summary = state?.subscribed ? subscriptionSummary(state) : null;
  return (
    <div className="grid gap-8">
      <header className="text-center">
        <h1 className="text-3xl">Planos</h1>
        <p className="mt-2 text-muted">Todas as ferramentas em todos os planos. Muda só quantas automações rodam ao mesmo tempo.</p>
      </header>
      {state && summary && (
        <Card className="mx-auto flex w-full max-w-2xl flex-wrap items-center gap-3">
          <div className="flex-1 basis-60">
            <p className="font-display text-lg font-semibold">{state.plan_name}</p>
            <p className="text-muted">{summary.text}</p>
          </div>
          <Badge tone={summary.tone}>{summary.badge}</Badge>
        </Card>
      )}
      <PlanPicker subscription={state} />
    </div>
  );
}

export function CanceledPage() {
  usePageTitle('Assinatura cancelada');
  const subscription = useSubscription();
  if (subscription.isPending) return <Waiting text="Verificando sua assinatura" />;
  if (subscription.data?.subscribed && subscription.data.max_slots > 0) return <Navigate to="/adm" replace />;
  return (
    <div className="grid gap-8">
      <header className="text-center">
        <h1 className="text-3xl">Sua assinatura terminou</h1>
        <p className="mt-2 text-muted">Suas automações e seus dados continuam guardados. Escolha um plano para voltar de onde parou.</p>
      </header>
      <PlanPicker subscription={subscription.data ?? null} hideFree />
    </div>
  );
}
