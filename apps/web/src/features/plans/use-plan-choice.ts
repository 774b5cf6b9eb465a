import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { toast } from 'sonner';
import { useSession } from '../../app/session';
import type { Subscription } from '../../app/subscription';
import { ApiError, callFunction } from '../../lib/runtime';
import type { Plan } from './plan-catalogue';

/** What a change would cost, as the payment provider counts it. Amounts are in the currency's smallest unit. */
export interface ChangePreview {
  /** Below zero: a credit towards the next invoices. */
  amount_due_now: number;
  currency: string;
  next_amount: number;
  next_date: string;
  /** Given back with the change, it keeps the amount that was shown. */
  proration_date?: number;
}

interface ChangeAnswer {
  success: boolean;
  error?: string;
  url?: string;
  subscription?: { plan_name: string };
  preview?: ChangePreview;
}

/** A change that waits for a yes. Without a preview the amounts could not be found out; the change itself may still be made. */
export interface ProposedChange {
  plan: Plan;
  preview: ChangePreview | null;
}

const reloadAfterMs = 2_000;
const smallBelowPx = 768;

/** A blocked pop-up would lose the purchase: then, and on small screens, the same window goes there. */
function goTo(url: string) {
  const opened = window.innerWidth < smallBelowPx ? null : window.open(url, '_blank');
  if (!opened) window.location.assign(url);
}

/** A refusal would meet the change as well; a preview that merely could not be had keeps nobody from it. */
function unlessRefused(error: unknown): null {
  if (error instanceof ApiError && error.message && error.status !== null && error.status < 500) throw error;
  return null;
}

function tellRefusal(error: unknown, url?: string) {
  toast.error('Erro ao processar', {
    description: (error instanceof ApiError && error.message) || 'Tente novamente em alguns instantes.',
    ...(url ? { action: { label: 'Continuar', onClick: () => goTo(url) } } : {}),
  });
}

/** Begins a purchase, or changes the plan of a subscriber, who first sees what it costs. */
export function usePlanChoice(subscription: Subscription | null) {
  const { session } = useSession();
  const queryClient = useQueryClient();
  const [busyPlan, setBusyPlan] = useState<string | null>(null);
  const [proposal, setProposal] = useState<ProposedChange | null>(null);
  const reload = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Who has gone on to another page is not thrown out of it.
  useEffect(() => () => clearTimeout(reload.current), []);

  const changed = async (planName: string) => {
    setProposal(null);
    toast.success('Plano alterado com sucesso!', { description: `Seu plano foi atualizado para ${planName}` });
    reload.current = setTimeout(() => window.location.reload(), reloadAfterMs);
    await queryClient.invalidateQueries();
  };

  const propose = async (plan: Plan) => {
    const answer = await callFunction<ChangeAnswer>('change-plan', { new_price_id: plan.price_id, preview: true }).catch(unlessRefused);
    if (answer?.success === false) tellRefusal(new ApiError(answer.error ?? ''), answer.url);
    // A server that knows no previews has already made the change.
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
      toast.error('Login necessário', { description: 'Você precisa estar logado para assinar um plano.' });
      return;
    }
    setBusyPlan(plan.id);
    try {
      await (subscription?.subscribed ? propose(plan) : buy(plan));
    } catch (error) {
      tellRefusal(error);
    } finally {
      setBusyPlan(null);
    }
  };

  const confirm = async () => {
    if (!proposal) return;
    const { plan } = proposal;
    setBusyPlan(plan.id);
    try {
      const answer = await callFunction<ChangeAnswer>('change-plan', {
        new_price_id: plan.price_id,
        proration_date: proposal.preview?.proration_date,
      });
      if (answer.success) await changed(answer.subscription?.plan_name ?? plan.name);
      else tellRefusal(new ApiError(answer.error ?? ''), answer.url);
    } catch (error) {
      tellRefusal(error);
    } finally {
      setBusyPlan(null);
    }
  };

  return { choose, confirm, busyPlan, proposal, dismiss: () => setProposal(null) };
}
