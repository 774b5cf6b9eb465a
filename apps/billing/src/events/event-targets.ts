import type Stripe from 'stripe';

/** Where an event says to look. Nothing else is ever taken from it. */
export type Target =
  | { kind: 'subscription' | 'ending-trial' | 'session' | 'expired-session' | 'invoice' | 'refund' | 'deleted-customer'; id: string }
  | { kind: 'alert'; id: string; what: string };

const kinds: Record<string, Exclude<Target['kind'], 'alert'>> = {
  'checkout.session.completed': 'session',
  'checkout.session.async_payment_succeeded': 'session',
  'checkout.session.async_payment_failed': 'expired-session',
  'checkout.session.expired': 'expired-session',
  'customer.subscription.created': 'subscription',
  'customer.subscription.updated': 'subscription',
  'customer.subscription.deleted': 'subscription',
  'customer.subscription.paused': 'subscription',
  'customer.subscription.resumed': 'subscription',
  'customer.subscription.pending_update_applied': 'subscription',
  'customer.subscription.pending_update_expired': 'subscription',
  'customer.subscription.trial_will_end': 'ending-trial',
  'invoice.paid': 'invoice',
  'invoice.payment_failed': 'invoice',
  'invoice.payment_action_required': 'invoice',
  'charge.refunded': 'refund',
  'customer.deleted': 'deleted-customer',
};

const alerts: Record<string, string> = {
  'invoice.finalization_failed': 'an invoice could not be finalized',
  'charge.dispute.created': 'a payment is disputed',
  'charge.dispute.closed': 'a dispute was closed',
};

/** The types that billing listens to; the webhook endpoint is made with them. */
export const listenedTypes = [...Object.keys(kinds), ...Object.keys(alerts)] as Stripe.WebhookEndpointCreateParams.EnabledEvent[];

/** @returns undefined for a type that does not concern billing. */
export function targetOf(event: Pick<Stripe.Event, 'type' | 'data'>): Target | undefined {
  const { id } = event.data.object as { id?: unknown };
  if (typeof id !== 'string') return undefined;
  const kind = kinds[event.type];
  if (kind) return { kind, id };
  const what = alerts[event.type];
  return what ? { kind: 'alert', id, what } : undefined;
}
