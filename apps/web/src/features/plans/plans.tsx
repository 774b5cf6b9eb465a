import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { useSession } from '../../app/session';
import { type Subscription } from '../../app/subscription';
import { Button } from '../../components/ui/button';
import { Badge, Failure, Skeleton } from '../../components/ui/surface';
import { classes } from '../../lib/classes';
import { formatPrice } from '../../lib/format';
import { ApiError, callFunction, client, dataOf } from '../../lib/runtime';

export interface Plan {
  id: string;
  key: string;
  name: string;
  description: string | null;
  max_slots: number;
  price_cents: number;
  price_id: string;
  features: string[];
  is_popular: boolean;
  trial_days: number;
}

export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: async () => dataOf(await client().from('subscription_plans').select('*').order('position')) as Plan[],
  staleTime: 600_000,
});

export interface PlanButtonFacts {
  plan: Pick<Plan, 'name' | 'max_slots' | 'trial_days'>;
  subscription: Pick<Subscription, 'subscribed' | 'plan_name' | 'max_slots' | 'used_slots'> | null;
  isBusy: boolean;
}

/** Text and state of a plan's button (specification, section 4). */
export function planButton({ plan, subscription, isBusy }: PlanButtonFacts): {
  label: string;
  isDisabled: boolean;
  tooManyUsed: number | null;
} {
  const used = subscription?.used_slots ?? 0;
  if (isBusy) return { label: 'Processando...', isDisabled: true, tooManyUsed: null };
  if (subscription?.subscribed && subscription.plan_name === plan.name)
    return { label: 'Plano Atual', isDisabled: true, tooManyUsed: null };
  const tooManyUsed = used > plan.max_slots ? used : null;
  const label = subscription?.subscribed
    ? plan.max_slots > subscription.max_slots
      ? 'Fazer Upgrade'
      : plan.max_slots < subscription.max_slots
        ? 'Fazer Downgrade'
        : 'Alterar Plano'
    : plan.trial_days > 0
      ? 'Testar Grátis'
      : 'Assinar Plano';
  return { label, isDisabled: tooManyUsed !== null, tooManyUsed };
}

/** Begins a purchase, or changes the plan of a subscriber. */
function usePlanChoice(subscription: Subscription | null) {
  const { session } = useSession();
  const queryClient = useQueryClient();
  const [busyPlan, setBusyPlan] = useState<string | null>(null);
  const choose = async (plan: Plan) => {
    if (!session) {
      toast.error('Login necessário', { description: 'Você precisa estar logado para assinar um plano.' });
      return;
    }
    setBusyPlan(plan.id);
    try {
      if (subscription?.subscribed) {
        const answer = await callFunction<{ success: boolean; error?: string; subscription: { plan_name: string } }>('change-plan', {
          new_price_id: plan.price_id,
        });
        if (!answer.success) throw new ApiError(answer.error ?? '');
        toast.success('Plano alterado com sucesso!', { description: `Seu plano foi atualizado para ${answer.subscription.plan_name}` });
        await queryClient.invalidateQueries();
        setTimeout(() => window.location.reload(), 2_000);
      } else {
        const { url } = await callFunction<{ url: string }>('create-checkout', { price_id: plan.price_id });
        // A blocked pop-up would lose the purchase: then, and on phones, the same window goes there.
        const opened = window.innerWidth < 768 ? null : window.open(url, '_blank');
        if (!opened) window.location.assign(url);
      }
    } catch (error) {
      toast.error('Erro ao processar', {
        description: (error instanceof ApiError && error.message) || 'Tente novamente em alguns instantes.',
      });
    } finally {
      setBusyPlan(null);
    }
  };
  return { choose, busyPlan };
}

export function PlanPicker({ subscription, hideFree = false }: { subscription: Subscription | null; hideFree?: boolean }) {
  const plans = useQuery(plansQuery);
  const { choose, busyPlan } = usePlanChoice(subscription);
  if (plans.isPending) return <Skeleton className="h-80" />;
  if (plans.isError) return <Failure text="Não foi possível carregar os planos." onRetry={() => void plans.refetch()} />;
  const shown = plans.data.filter((plan) => !hideFree || plan.trial_days === 0);
  return (
    <ul className={classes('grid gap-4', shown.length > 2 ? 'md:grid-cols-3' : 'mx-auto max-w-3xl md:grid-cols-2')}>
      {shown.map((plan) => {
        const button = planButton({ plan, subscription, isBusy: busyPlan === plan.id });
        const isCurrent = Boolean(subscription?.subscribed) && subscription?.plan_name === plan.name;
        return (
          <li
            key={plan.id}
            className={classes(
              'relative flex flex-col rounded-2xl border bg-surface p-6',
              plan.is_popular ? 'border-2 border-brand' : 'border-line',
              button.tooManyUsed !== null && 'opacity-60',
            )}
          >
            <div className="flex min-h-7 flex-wrap gap-2">
              {isCurrent && <Badge tone="success">Plano Atual</Badge>}
              {!isCurrent && plan.is_popular && <Badge tone="brand">Mais Popular</Badge>}
              {!isCurrent && plan.trial_days > 0 && !subscription?.subscribed && (
                <Badge tone="success">{plan.trial_days} Dias Grátis</Badge>
              )}
            </div>
            <h3 className="mt-3 text-xl">{plan.name}</h3>
            {plan.description && <p className="mt-1 text-[15px] text-muted">{plan.description}</p>}
            <p className="mt-4">
              <span className="font-display text-3xl font-semibold whitespace-nowrap">{formatPrice(plan.price_cents)}</span>
              <span className="text-muted"> por mês</span>
            </p>
            <ul className="mt-4 mb-6 grid gap-2">
              {plan.features.map((feature) => (
                <li key={feature} className="flex gap-2 text-[15px]">
                  <Check className="mt-0.5 size-5 shrink-0 text-success" aria-hidden />
                  {feature}
                </li>
              ))}
            </ul>
            <div className="mt-auto grid gap-2">
              {button.tooManyUsed !== null && (
                <p className="text-sm text-muted">
                  Você tem {button.tooManyUsed} automações criadas. Exclua algumas para escolher este plano.
                </p>
              )}
              <Button
                size="wide"
                variant={plan.is_popular ? 'primary' : 'outline'}
                disabled={button.isDisabled}
                onClick={() => void choose(plan)}
              >
                {button.label}
              </Button>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
