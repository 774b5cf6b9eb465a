import { invalid } from '../objects/errors.js';
import type { PaymentMethod, Subscription } from '../objects/objects.js';

/** Parameters of `POST /v1/subscriptions/{id}`. */
export interface SubscriptionChanges {
  items?: { id?: string; price?: string; quantity?: number }[];
  proration_behavior?: 'always_invoice' | 'create_prorations' | 'none';
  proration_date?: number;
  payment_behavior?: 'allow_incomplete' | 'default_incomplete' | 'error_if_incomplete' | 'pending_if_incomplete';
  billing_cycle_anchor?: { type: 'now' | 'unchanged' };
  trial_end?: 'now' | number;
  cancel_at?: number | string;
  cancel_at_period_end?: boolean;
  cancellation_details?: { comment?: string; feedback?: string };
  default_payment_method?: string;
  pause_collection?: '' | { behavior: string; resumes_at?: number };
  collection_method?: string;
  metadata?: Record<string, string> | '';
  description?: string;
  off_session?: boolean;
  trial_settings?: { end_behavior: { missing_payment_method?: 'cancel' | 'create_invoice' | 'pause' } };
}

/** Cancellation details of a subscription that is not being cancelled. */
export const noDetails = { comment: null, feedback: null, feedback_option: null, reason: null };

export type SubscriptionPatch = Partial<Subscription> & Record<string, unknown>;

/**
 * New values of the members that a change sets directly: cancellation, payment method, pause, description and metadata. Items, periods and
 * trials are not among them, since they follow rules of their own.
 * @param now seconds since the epoch, by the customer's clock
 * @param end end of the current period, in seconds since the epoch
 * @throws StripeRefusal
 */
export function directChanges(
  subscription: Subscription,
  changes: SubscriptionChanges,
  { now, end, findMethod }: { now: number; end: number; findMethod: (id: string) => PaymentMethod },
): SubscriptionPatch {
  const patch: SubscriptionPatch = {};
  if (changes.cancel_at !== undefined && changes.cancel_at_period_end !== undefined)
    throw invalid('You cannot set both `cancel_at` and `cancel_at_period_end`.', 'cancel_at');
  if (changes.cancel_at_period_end === true) {
    Object.assign(patch, { cancel_at_period_end: true, cancel_at: end, canceled_at: now });
    patch.cancellation_details = { ...noDetails, reason: 'cancellation_requested' };
  } else if (changes.cancel_at_period_end === false && subscription.cancel_at_period_end) {
    Object.assign(patch, { cancel_at_period_end: false, cancel_at: null, canceled_at: null, cancellation_details: noDetails });
  } else if (changes.cancel_at === '') {
    Object.assign(patch, { cancel_at: null, canceled_at: null, cancel_at_period_end: false, cancellation_details: noDetails });
  } else if (changes.cancel_at !== undefined) {
    const at = typeof changes.cancel_at === 'number' || /^\d+$/.test(changes.cancel_at) ? Number(changes.cancel_at) : end;
    if (at <= now) throw invalid('`cancel_at` must be in the future.', 'cancel_at');
    Object.assign(patch, { cancel_at: at, canceled_at: now, cancel_at_period_end: false });
    patch.cancellation_details = { ...noDetails, reason: 'cancellation_requested' };
  }
  if (changes.cancellation_details)
    patch.cancellation_details = {
      ...(patch.cancellation_details ?? subscription.cancellation_details),
      ...('comment' in changes.cancellation_details ? { comment: changes.cancellation_details.comment || null } : {}),
      ...('feedback' in changes.cancellation_details ? { feedback: changes.cancellation_details.feedback || null } : {}),
    };
  if (changes.default_payment_method !== undefined) {
    const method = changes.default_payment_method ? findMethod(changes.default_payment_method) : null;
    if (method && method.customer !== subscription.customer)
      throw invalid('The customer does not have a payment method with that ID.', 'default_payment_method', 'resource_missing');
    patch.default_payment_method = method?.id ?? null;
  }
  if (changes.pause_collection !== undefined)
    patch.pause_collection =
      changes.pause_collection === ''
        ? null
        : { behavior: changes.pause_collection.behavior, resumes_at: changes.pause_collection.resumes_at ?? null };
  if (changes.collection_method) patch.collection_method = changes.collection_method;
  if (changes.description !== undefined) patch['description'] = changes.description || null;
  if (changes.metadata !== undefined) patch.metadata = mergedMetadata(subscription.metadata, changes.metadata);
  const missingMethod = changes.trial_settings?.end_behavior.missing_payment_method;
  if (missingMethod) patch.trial_settings = { end_behavior: { billing_cycle_anchor: null, missing_payment_method: missingMethod } };
  return patch;
}

/** Merges metadata: an empty value deletes its key, `''` deletes everything. */
export function mergedMetadata(before: Record<string, string>, changes: Record<string, string> | ''): Record<string, string> {
  if (changes === '') return {};
  return Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== ''));
}
