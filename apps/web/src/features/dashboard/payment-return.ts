import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { toast } from '../../lib/toast';
import { useUser } from '../../session/session';
import { subscriptionQuery } from '../../session/subscription';
import { paymentReturnTexts as texts } from './texts';

const recheckMs = 1_500;
const recheckForMs = 20_000;

/**
 * Reads and removes the parameters that the payment page added to the URL. Anybody can open that URL, so only a subscription check that was answered
 * after this page was opened proves a payment. The subscription may become active some seconds after the payment: until then it is checked repeatedly, and the
 * customer is not sent to the plans.
 */
export function usePaymentReturn() {
  const [params, setParams] = useSearchParams();
  const queryClient = useQueryClient();
  const { id: userId } = useUser();
  const { data: subscription, isPlaceholderData, dataUpdatedAt } = useQuery(subscriptionQuery(userId));
  const [arrivedAt] = useState(() => Date.now());
  /** `expected`: the URL says that the payment succeeded, but no subscription check has confirmed it yet. `celebrated`: a check has. */
  const [payment, setPayment] = useState<'none' | 'expected' | 'celebrated'>(params.get('success') === 'true' ? 'expected' : 'none');
  useEffect(() => {
    if (!params.has('success') && !params.has('canceled')) return;
    if (params.get('success') === 'true') {
      void queryClient.invalidateQueries();
    } else if (params.get('canceled') === 'true') {
      toast.error(texts.canceled.title, { description: texts.canceled.text });
    }
    setParams({}, { replace: true });
  }, [params, setParams, queryClient]);
  const isConfirmed = Boolean(subscription?.subscribed) && !subscription?.isLastKnown && !isPlaceholderData && dataUpdatedAt >= arrivedAt;
  const isAwaitingPayment = payment === 'expected' && !isConfirmed;
  useEffect(() => {
    if (!isAwaitingPayment) return;
    const { queryKey } = subscriptionQuery(userId);
    const rechecking = setInterval(() => void queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false }), recheckMs);
    const giveUp = setTimeout(() => {
      setPayment('none');
      toast.info(texts.unconfirmed.title, { description: texts.unconfirmed.text });
    }, recheckForMs);
    return () => {
      clearInterval(rechecking);
      clearTimeout(giveUp);
    };
  }, [isAwaitingPayment, queryClient, userId]);
  return { isCelebrating: payment === 'expected' && isConfirmed, endCelebration: () => setPayment('celebrated'), isAwaitingPayment };
}
