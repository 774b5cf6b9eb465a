import { useQuery } from '@tanstack/react-query';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';
import { Badge } from '../../components/ui/surface';
import { useUser } from '../../session/session';
import { historyQuery, type Subscription, useSlots, useSubscription } from '../../session/subscription';
import { openCustomerPortal } from './customer-portal';
import { useIsHighestPlan } from './highest-plan';
import { isCurrentPlan, type Plan } from './plan-catalogue';
import { PlanPicker } from './plan-picker';
import { proposedTexts, upgradeDialogTexts as texts } from './texts';

/** Offers more slots. Customers with the highest plan read how to free a slot instead. */
export function UpgradeDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const subscription = useSubscription();
  const isHighest = useIsHighestPlan();
  const planName = subscription.data?.plan_name ?? '';
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={texts.title}
      description={isHighest ? proposedTexts.highest.description(planName) : texts.description}
      size="full"
    >
      <div className="mx-auto grid w-full max-w-[1200px] gap-6">
        <FreeSlots />
        {isHighest ? (
          <Button variant="secondary" className="mx-auto" onClick={() => void openCustomerPortal()}>
            {proposedTexts.highest.manage}
          </Button>
        ) : (
          <Offers subscription={subscription.data ?? null} />
        )}
        <Button variant="quiet" className="mx-auto" onClick={onClose}>
          {texts.later}
        </Button>
      </div>
    </Dialog>
  );
}

/** The number of free slots, or the sentence that none is free. */
function FreeSlots() {
  const { data: free } = useSlots();
  if (free === undefined) return null;
  return (
    <div className="text-center">
      <Badge tone={free > 0 ? 'neutral' : 'warning'} className="min-h-8 px-3">
        {free > 0 ? texts.free(free) : texts.limit}
      </Badge>
    </div>
  );
}

/** The present plan and the larger ones; for people without a plan, all of them. */
function Offers({ subscription }: { subscription: Subscription | null }) {
  const history = useQuery(historyQuery(useUser().id));
  const isSubscribed = subscription?.subscribed ?? false;
  const isOffered = (plan: Plan) =>
    !isSubscribed || plan.max_slots > (subscription?.max_slots ?? 0) || (plan.trial_days === 0 && isCurrentPlan({ plan, subscription }));
  return <PlanPicker subscription={subscription} shows={isOffered} hasHistory={isSubscribed || (history.data ?? true)} />;
}
