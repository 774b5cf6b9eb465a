import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { type Subscription, useUsedSlots } from '../../app/subscription';
import { Button } from '../../components/ui/button';
import { Badge, Failure, Skeleton } from '../../components/ui/surface';
import { classes } from '../../lib/classes';
import { formatPrice } from '../../lib/format';
import { ChangeDialog } from './change-dialog';
import { isCurrentPlan, type Plan, planButton, type PlanButtonState, plansQuery } from './plan-catalogue';
import { usePlanChoice } from './use-plan-choice';

interface PlanPickerProps {
  subscription: Subscription | null;
  /** Leaves out the plan that begins with a trial. */
  hideFree?: boolean;
  hasHistory?: boolean;
}

export function PlanPicker({ subscription, hideFree = false, hasHistory = false }: PlanPickerProps) {
  const plans = useQuery(plansQuery);
  const usedSlots = useUsedSlots();
  const { choose, confirm, busyPlan, proposal, dismiss } = usePlanChoice(subscription);
  if (plans.isPending) return <PlanSkeleton />;
  if (plans.isLoadingError) return <Failure text="Não foi possível carregar os planos." onRetry={() => void plans.refetch()} />;
  const shown = plans.data.filter((plan) => !hideFree || plan.trial_days === 0);
  return (
    <>
      <ul className={classes('grid gap-4', shown.length > 2 ? 'md:grid-cols-3' : 'mx-auto w-full max-w-3xl md:grid-cols-2')}>
        {shown.map((plan) => (
          <PlanCard
            key={plan.id}
            plan={plan}
            isCurrent={isCurrentPlan({ plan, subscription })}
            hasTrial={plan.trial_days > 0 && !subscription?.subscribed && !hasHistory}
            button={planButton({ plan, subscription, usedSlots, hasHistory, isBusy: busyPlan === plan.id })}
            isWaiting={busyPlan !== null}
            onChoose={() => void choose(plan)}
          />
        ))}
      </ul>
      <ChangeDialog
        proposal={proposal}
        subscription={subscription}
        isBusy={busyPlan !== null}
        onConfirm={() => void confirm()}
        onClose={dismiss}
      />
    </>
  );
}

interface PlanCardProps {
  plan: Plan;
  isCurrent: boolean;
  hasTrial: boolean;
  button: PlanButtonState;
  /** Another plan is being processed. */
  isWaiting: boolean;
  onChoose: () => void;
}

/** On a phone name and price share a line and the features stand beneath each other, so that three plans fit a thumb's way. */
function PlanCard({ plan, isCurrent, hasTrial, button, isWaiting, onChoose }: PlanCardProps) {
  const isDimmed = button.tooManyUsed !== null;
  return (
    <li
      className={classes(
        'flex flex-col rounded-2xl p-5 md:p-6',
        isDimmed ? 'bg-sunken' : 'bg-surface',
        isCurrent
          ? 'border-2 border-success'
          : plan.is_popular && !isDimmed
            ? 'border-2 border-brand shadow-xl shadow-brand/10'
            : 'border border-line',
      )}
    >
      <div className="flex flex-col">
        <div className="mb-2 flex flex-wrap gap-2 empty:hidden md:mb-3 md:min-h-7 md:empty:flex">
          {isCurrent && <Badge tone="success">Plano Atual</Badge>}
          {!isCurrent && plan.is_popular && (
            <Badge tone={isDimmed ? 'neutral' : 'brand'} className={isDimmed ? 'bg-surface' : ''}>
              Mais Popular
            </Badge>
          )}
          {hasTrial && <Badge tone="success">{plan.trial_days} Dias Grátis</Badge>}
        </div>
        <div className="flex flex-wrap items-baseline justify-between gap-x-3 md:block">
          <h2 className="text-xl">{plan.name}</h2>
          <p className="md:mt-4">
            <span
              className={classes('font-display text-2xl font-semibold whitespace-nowrap md:text-3xl lg:text-4xl', isDimmed && 'text-muted')}
            >
              {formatPrice(plan.price_cents)}
            </span>
            <span className="whitespace-nowrap text-muted md:max-lg:block"> por mês</span>
          </p>
        </div>
        {(hasTrial || plan.description) && (
          <p className="mt-1 text-[15px] text-muted md:mt-2">
            {hasTrial ? `${plan.trial_days} dias grátis, depois ${formatPrice(plan.price_cents)} por mês` : plan.description}
          </p>
        )}
        <ul className="mt-3 mb-4 grid gap-1.5 md:mt-5 md:mb-8 md:gap-2.5">
          {plan.features.map((feature) => (
            <li key={feature} className="flex gap-2 text-[15px]">
              <Check className={classes('mt-0.5 size-5 shrink-0', isDimmed ? 'text-muted' : 'text-success')} aria-hidden />
              {feature}
            </li>
          ))}
        </ul>
      </div>
      <div className="mt-auto grid gap-2">
        {isDimmed && (
          <p className="text-sm text-warning" id={`plan-${plan.id}`}>
            Você tem {button.tooManyUsed} automações criadas. Exclua algumas para escolher este plano.
          </p>
        )}
        <Button
          size="wide"
          variant={button.label === 'Fazer Upgrade' || (plan.is_popular && !isCurrent && !isDimmed) ? 'primary' : 'outline'}
          disabled={button.isDisabled || isWaiting}
          aria-describedby={isDimmed ? `plan-${plan.id}` : undefined}
          onClick={onChoose}
        >
          {button.label}
        </Button>
      </div>
    </li>
  );
}

function PlanSkeleton() {
  return (
    <div role="status" aria-label="Carregando planos" className="grid gap-4 md:grid-cols-3">
      <Skeleton className="h-72 md:h-96" />
      <Skeleton className="h-72 md:h-96" />
      <Skeleton className="h-72 md:h-96" />
    </div>
  );
}
