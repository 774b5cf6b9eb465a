import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, callFunction } from '../../lib/api-client';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { useSession } from '../../session/session';
import type { Subscription } from '../../session/subscription';
import type { Plan } from './plan-catalogue';
import { planChoiceTexts as texts } from './texts';

/** Cost of a plan change according to the payment provider. Amounts are in the currency's smallest unit. */
export interface ChangePreview {
  /** Negative: a credit for the next invoices. */
  amount_due_now: number;
  currency: string;
  next_amount: number;
  next_date: string;
  /** Sent with the change, so that the provider charges the amount that was shown. */
  proration_date?: number;
}

interface ChangeAnswer {
  success: boolean;
  error?: string;
  url?: string;
  subscription?: { plan_name: string };
  preview?: ChangePreview;
}

/** A change that waits for confirmation. `preview` is null when the amounts could not be loaded; the change is possible all the same. */
export interface ProposedChange {
  plan: Plan;
  preview: ChangePreview | null;
}

const reloadAfterMs = 2_000;
const smallScreenBelowPx = 768;

/** Opens a new tab; the same one on small screens and when the browser blocks pop-ups. */
function goTo(url: string) {
  const opened = window.innerWidth < smallScreenBelowPx ? null : window.open(url, '_blank');
  if (!opened) window.location.assign(url);
}

/**
 * Rethrows a refusal, which would also apply to the change itself. A preview that failed for another reason does not prevent the change.
 */
function unlessRefused(error: unknown): null {
  if (error instanceof ApiError && error.message && error.status !== null && error.status < 500) throw error;
  return null;
}

/** Starts a purchase; for a subscriber, previews a plan change and makes it after confirmation. */
export function usePlanChoice(subscription: Subscription | null) {
  const { session } = useSession();
  const queryClient = useQueryClient();
  const [busyPlan, setBusyPlan] = useState<string | null>(null);
  const [proposal, setProposal] = useState<ProposedChange | null>(null);
  const failure = useErrorToast();

  const showRefusal = (error: unknown, url?: string) =>
    failure.show(texts.failed.title, {
      description: (error instanceof ApiError && error.message) || texts.failed.text,
      ...(url ? { action: { label: texts.failed.action, onClick: () => goTo(url) } } : {}),
    });

  const changed = async (planName: string) => {
    setProposal(null);
    toast.success(texts.changed.title, { description: texts.changed.text(planName) });
    // The timer runs even if this component unmounts, which happens when no plan is above the new one. It does not reload the page if the
    // customer has left it, because that would interrupt the next page.
    const { pathname } = window.location;
    setTimeout(() => {
      if (window.location.pathname === pathname) window.location.reload();
    }, reloadAfterMs);
    await queryClient.invalidateQueries();
  };

  const propose = async (plan: Plan) => {
    const answer = await callFunction<ChangeAnswer>('change-plan', { new_price_id: plan.price_id, preview: true }).catch(unlessRefused);
    if (answer?.success === false) showRefusal(new ApiError(answer.error ?? ''), answer.url);
    // A server without previews has already made the change.
    else if (answer?.subscription) await changed(answer.subscription.plan_name);
    else setProposal({ plan, preview: answer?.preview ?? null });
  };

  const buy = async (plan: Plan) => {
    const answer = await callFunction<{ url?: string; error?: string }>('create-checkout', { price_id: plan.price_id });
    if (!answer.url) throw new ApiError(answer.error ?? '');
    goTo(answer.url);
  };

  const choose = async (plan: Plan) => {
    if (!session) {
      failure.show(texts.signInFirst.title, { description: texts.signInFirst.text });
      return;
    }
    failure.clear();
    setBusyPlan(plan.id);
    try {
      await (subscription?.subscribed ? propose(plan) : buy(plan));
    } catch (error) {
      showRefusal(error);
    } finally {
      setBusyPlan(null);
    }
  };

  const confirm = async () => {
    if (!proposal) return;
    const { plan } = proposal;
    failure.clear();
    setBusyPlan(plan.id);
    try {
      const answer = await callFunction<ChangeAnswer>('change-plan', {
        new_price_id: plan.price_id,
        proration_date: proposal.preview?.proration_date,
      });
      if (answer.success) await changed(answer.subscription?.plan_name ?? plan.name);
      else showRefusal(new ApiError(answer.error ?? ''), answer.url);
    } catch (error) {
      showRefusal(error);
    } finally {
      setBusyPlan(null);
    }
  };

  return { choose, confirm, busyPlan, proposal, dismiss: () => setProposal(null) };
}
