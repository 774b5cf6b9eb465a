import { openPortal } from '../../app/portal';
import { type Subscription, useUsedSlots } from '../../app/subscription';
import { Button } from '../../components/ui/button';
import { Badge, Card, type Tone } from '../../components/ui/surface';
import { formatDate } from '../../lib/format';

export interface SubscriptionSummary {
  badge: string;
  tone: Tone;
  text: string;
  /** Something to be done about the payment, by its word; null when all is well. */
  action: string | null;
}

/** The one badge and sentence of a subscription. What needs the customer comes first: a payment problem, then an end, then the trial. */
export function subscriptionSummary(state: Subscription): SubscriptionSummary {
  const end = formatDate(state.subscription_end);
  if (state.is_past_due) {
    return {
      badge: 'Pagamento pendente',
      tone: 'danger',
      text: `Houve um problema com o pagamento. Seu acesso vai até ${end}.`,
      action: 'Atualizar pagamento',
    };
  }
  if (state.is_canceled) {
    return { badge: 'Cancelada', tone: 'warning', text: `Seu acesso vai até ${end}. A assinatura não será renovada.`, action: 'Reativar' };
  }
  if (state.is_trial) {
    const trialEnd = formatDate(state.trial_ends_at ?? state.subscription_end);
    return { badge: 'Período de teste', tone: 'brand', text: `Seu teste grátis termina em ${trialEnd}.`, action: null };
  }
  if (state.will_renew) return { badge: 'Ativa', tone: 'success', text: `Renova automaticamente em ${end}.`, action: null };
  return { badge: 'Ativa', tone: 'success', text: `Válida até ${end}.`, action: null };
}

export function SubscriptionCard({ state }: { state: Subscription }) {
  const { badge, tone, text, action } = subscriptionSummary(state);
  const used = useUsedSlots();
  return (
    <Card aria-label="Sua assinatura" className="mx-auto grid w-full max-w-3xl gap-4 sm:flex sm:items-center">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-2">
          <h2 className="text-lg">{state.plan_name}</h2>
          <Badge tone={tone}>{badge}</Badge>
        </div>
        <p className="mt-1 text-muted">{text}</p>
        <p className="mt-1 text-sm text-muted">
          {used} de {state.max_slots} slots em uso
        </p>
      </div>
      <Button variant={action ? 'primary' : 'outline'} onClick={() => void openPortal()}>
        {action ?? 'Gerenciar assinatura'}
      </Button>
    </Card>
  );
}
