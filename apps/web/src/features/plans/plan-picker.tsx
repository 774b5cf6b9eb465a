import type { PlanKey } from '@decola/contracts';
import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from '../../components/ui/button';
import { Badge, Failure, Skeleton } from '../../components/ui/surface';
import { classes } from '../../lib/classes';
import { formatPrice } from '../../lib/format';
import { useUser } from '../../session/session';
import { type Subscription, useUsedSlots } from '../../session/subscription';
import { isCurrentPlan, type Plan, planButton, type PlanButtonState, plansQuery, prominentPlan } from './plan-catalogue';
import { ChangeDialog } from './plan-change-dialog';
import { publishedAutomationsQuery } from './published-automations';
import { SlotMarks } from './slot-marks';
import { planButtonTexts, planPickerTexts as texts, proposedTexts } from './texts';
import { usePlanChoice } from './use-plan-choice';

interface PlanPickerProps {
  subscription: Subscription | null;
  hasHistory?: boolean;
  /** The plan chosen on the landing page. Its card is labelled as the customer's choice and has the filled button. */
  chosen?: PlanKey | null;
  /** Selects the plans to show. Default: all. */
  shows?: (plan: Plan) => boolean;
}

export function PlanPicker({ subscription, hasHistory = false, chosen = null, shows = () => true }: PlanPickerProps) {
  const plans = useQuery(plansQuery);
  const usedSlots = useUsedSlots();
  const { choose, confirm, busyPlan, proposal, dismiss } = usePlanChoice(subscription);
  if (plans.isPending) return <PlanSkeleton />;
  if (plans.isLoadingError) return <Failure text={texts.failed} onRetry={() => void plans.refetch()} />;
  const shown = plans.data.filter(shows);
  const mostSlots = Math.max(0, ...plans.data.map(({ max_slots: slots }) => slots));
  const prominent = prominentPlan({ plans: shown, subscription, usedSlots, hasHistory, chosen });
  const current = shown.find((plan) => isCurrentPlan({ plan, subscription }))?.id;
  const popular = shown.find((plan) => plan.is_popular && plan.max_slots >= usedSlots)?.id;
  const isChosen = ({ key, id }: Plan) => key === chosen && id === prominent;
  const lit = current ?? shown.find(isChosen)?.id ?? popular ?? prominent;
  return (
    <>
      <ul
        className={classes(
          'grid grid-cols-1 gap-4',
          // A row has fewer plans when the customer enlarges the text.
          shown.length > 2
            ? 'md:grid-cols-[repeat(auto-fit,minmax(min(100%,13rem),1fr))]'
            : 'mx-auto w-full max-w-[800px] md:grid-cols-[repeat(auto-fit,minmax(min(100%,17rem),1fr))]',
        )}
      >
        {shown.map((plan) => (
          <PlanCard
            key={plan.id}
            plan={plan}
            mostSlots={mostSlots}
            isCurrent={plan.id === current}
            isChosen={isChosen(plan)}
            isProminent={plan.id === prominent}
            isLit={plan.id === lit}
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
        mostSlots={mostSlots}
        isBusy={busyPlan !== null}
        onConfirm={() => void confirm()}
        onClose={dismiss}
      />
    </>
  );
}

interface PlanCardProps {
  plan: Plan;
  /** Slots of the largest plan. */
  mostSlots: number;
  isCurrent: boolean;
  isChosen: boolean;
  /** Whether the plan has the filled button. On narrow screens it comes first. */
  isProminent: boolean;
  isLit: boolean;
  hasTrial: boolean;
  button: PlanButtonState;
  /** Another plan is being processed. */
  isWaiting: boolean;
  onChoose: () => void;
}

function PlanCard({ plan, mostSlots, isCurrent, isChosen, isProminent, isLit, hasTrial, button, isWaiting, onChoose }: PlanCardProps) {
  const isTooSmall = button.tooManyUsed !== null;
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) card.current?.scrollIntoView?.({ block: 'nearest' });
  }, [isChosen]);
  const isDowngrade = button.label === planButtonTexts.downgrade;
  return (
    <li
      ref={card}
      className={classes(
        'flex min-w-0 flex-col rounded-panel p-[24px] md:max-lg:px-[18px] lg:p-[32px]',
        isTooSmall ? 'bg-sunken max-md:order-last' : isLit ? 'lit shadow-2' : 'inset-ring-[1.5px] inset-ring-line',
        isProminent && 'max-md:order-first',
      )}
    >
      <div className="flex min-h-7 flex-wrap items-center justify-between gap-2">
        <h2 className={classes('text-lg', isTooSmall && 'text-muted')}>{plan.name}</h2>
        <span className="flex flex-wrap gap-1.5">
          {isCurrent && <Badge tone="success">{texts.current}</Badge>}
          {!isCurrent && isChosen && <Badge className="bg-ink text-canvas">{proposedTexts.chosen}</Badge>}
          {!isCurrent && plan.is_popular && (
            <Badge tone={isTooSmall ? 'neutral' : 'brand'} className={isTooSmall ? 'bg-surface' : ''}>
              {texts.popular}
            </Badge>
          )}
          {hasTrial && <Badge>{texts.trialBadge(plan.trial_days)}</Badge>}
        </span>
      </div>
      <div className="mt-4.5 mb-4 flex">
        <SlotMarks value={plan.max_slots} of={mostSlots} />
      </div>
      <p
        className={classes(
          'text-[2.75rem] leading-none font-[660] tracking-[-0.045em] whitespace-nowrap [font-stretch:110%]',
          isTooSmall && 'text-muted',
        )}
      >
        {formatPrice(plan.price_cents)}
      </p>
      <p className="mt-2 text-muted">{hasTrial ? texts.trialPrice(plan.trial_days, formatPrice(plan.price_cents)) : texts.perMonth}</p>
      <ul className="mt-6 mb-7 grid gap-2.5 text-md">
        {plan.features.map((feature) => (
          <li key={feature} className="flex items-start gap-2.5">
            <Check className={classes('mt-0.5 size-4 shrink-0', isTooSmall ? 'text-muted' : 'text-success')} aria-hidden />
            {feature}
          </li>
        ))}
      </ul>
      <div className="mt-auto grid gap-3">
        {isTooSmall && <TooManyUsed id={`plan-${plan.id}`} usedSlots={button.tooManyUsed ?? 0} />}
        <Button
          size="large"
          className="w-full whitespace-normal"
          variant={isProminent ? 'primary' : isDowngrade ? 'quiet' : 'secondary'}
          disabled={button.isDisabled || isWaiting}
          aria-busy={button.label === planButtonTexts.busy || undefined}
          aria-describedby={isTooSmall ? `plan-${plan.id}` : undefined}
          onClick={onChoose}
        >
          {button.label}
        </Button>
      </div>
    </li>
  );
}

/** Why a plan is too small: the number of automations, and the number of slots that they use when it differs. */
function TooManyUsed({ id, usedSlots }: { id: string; usedSlots: number }) {
  const automations = useQuery(publishedAutomationsQuery(useUser().id)).data?.length || usedSlots;
  return (
    <p id={id} className="text-sm text-muted">
      {automations === usedSlots ? texts.tooManyUsed(usedSlots) : proposedTexts.tooManySlotsUsed(automations, usedSlots)}
    </p>
  );
}

function PlanSkeleton() {
  return (
    <div role="status" aria-label={texts.loading} className="grid gap-4 md:grid-cols-3">
      <Skeleton className="h-96 rounded-panel" />
      <Skeleton className="h-96 rounded-panel" />
      <Skeleton className="h-96 rounded-panel" />
    </div>
  );
}
