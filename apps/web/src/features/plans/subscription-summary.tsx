import { useQuery } from '@tanstack/react-query';
import { Button } from '../../components/ui/button';
import { Badge, Card, type Tone } from '../../components/ui/surface';
import { formatDate, formatPrice } from '../../lib/format';
import { type Subscription, useUsedSlots } from '../../session/subscription';
import { openCustomerPortal } from './customer-portal';
import { isCurrentPlan, plansQuery } from './plan-catalogue';
import { SlotMarks } from './slot-marks';
import { planPickerTexts, subscriptionTexts as texts } from './texts';

export interface SubscriptionSummary {
  badge: string;
  tone: Tone;
  text: string;
  /** Label of the button that solves a payment problem; null without one. */
  action: string | null;
}

/** Badge and sentence of a subscription, most urgent first: payment problem, cancellation, trial, renewal. */
export function subscriptionSummary(state: Subscription): SubscriptionSummary {
  const end = formatDate(state.subscription_end);
  if (state.is_past_due) {
    return {
      badge: texts.pastDue.badge,
      tone: 'danger',
      text: texts.pastDue.text(end),
      action: texts.pastDue.action,
    };
  }
  if (state.is_canceled) {
    return {
      badge: texts.canceled.badge,
      tone: 'warning',
      text: texts.canceled.text(end),
      action: texts.canceled.action,
    };
  }
  if (state.is_trial) {
    const trialEnd = formatDate(state.trial_ends_at ?? state.subscription_end);
    return { badge: texts.trial.badge, tone: 'neutral', text: texts.trial.text(trialEnd), action: null };
  }
  if (state.will_renew) return { badge: texts.active.badge, tone: 'success', text: texts.active.renews(end), action: null };
  return { badge: texts.active.badge, tone: 'success', text: texts.active.ends(end), action: null };
}

export function SubscriptionCard({ state }: { state: Subscription }) {
  const { badge, tone, text, action } = subscriptionSummary(state);
  const used = useUsedSlots();
  const plan = useQuery(plansQuery).data?.find((each) => isCurrentPlan({ plan: each, subscription: state }));
  return (
    <Card aria-label={texts.label} className="flex flex-wrap items-center gap-x-10 gap-y-4 lg:px-8 lg:py-7">
      <div className="grid min-w-0 flex-[1_1_20rem] justify-items-start gap-1.5">
        <Badge tone={tone} className="min-h-7 px-2.5">
          {badge}
        </Badge>
        <div className="flex flex-wrap items-baseline gap-x-2.5">
          <h2 className="text-[2rem] leading-none tracking-[-0.035em] wrap-anywhere">{state.plan_name}</h2>
          {plan && (
            <p className="text-md whitespace-nowrap text-muted">
              {formatPrice(plan.price_cents)} {planPickerTexts.perMonth}
            </p>
          )}
        </div>
        <p className="text-md text-muted">{text}</p>
      </div>
      <div className="grid flex-[0_1_15rem] content-center justify-items-start gap-2.5">
        <SlotMarks value={used} of={state.max_slots} />
        <p className="text-md text-muted">{texts.slotsInUse(used, state.max_slots)}</p>
      </div>
      <Button
        variant={action ? 'primary' : 'secondary'}
        className="whitespace-normal max-sm:w-full"
        onClick={() => void openCustomerPortal()}
      >
        {action ?? texts.manage}
      </Button>
    </Card>
  );
}
