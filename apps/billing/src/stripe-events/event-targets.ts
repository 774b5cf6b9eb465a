import type Stripe from 'stripe';
import { ParkedError } from '../stripe/parked.js';

/** The object that an event names. Nothing else is read from an event: the object itself is fetched. */
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

/** The event types that billing handles; the webhook endpoint is created with them. */
export const listenedTypes = [...Object.keys(kinds), ...Object.keys(alerts)] as Stripe.WebhookEndpointCreateParams.EnabledEvent[];

/** @returns undefined for a type that billing does not handle. @throws ParkedError when an event of a handled type names no object. */
export function targetOf(event: Pick<Stripe.Event, 'type' | 'data'>): Target | undefined {
  const kind = kinds[event.type];
  const what = alerts[event.type];
  if (!kind && !what) return undefined;
  const id = objectOfEvent(event)['id'];
  if (typeof id !== 'string') throw new ParkedError(`an event ${event.type} does not say which object it is about`);
  return kind ? { kind, id } : { kind: 'alert', id, what: what ?? '' };
}

/** The `data.object` of an event; empty when there is none. */
export function objectOfEvent(event: { data?: unknown }): Record<string, unknown> {
  const { object } = (event.data ?? {}) as { object?: unknown };
  return typeof object === 'object' && object !== null ? (object as Record<string, unknown>) : {};
}
