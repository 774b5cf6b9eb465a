import { z } from 'zod';
import { defineEvent } from '../messages/definitions.js';

/** The plans of the one catalogue, smallest first. */
export const planKeys = ['starter', 'pro', 'premium'] as const;
export const planKey = z.enum(planKeys);
export type PlanKey = z.infer<typeof planKey>;

export const subscriptionState = z.object({
  subscribed: z.boolean(),
  plan_id: z.uuid().nullable(),
  plan_key: planKey.nullable(),
  plan_name: z.string().nullable(),
  /** 0 when not subscribed. */
  max_slots: z.number().int().nonnegative(),
  /** The payment provider's own word (`trialing`, `active`, `past_due`, ...); null when there never was a subscription. */
  subscription_status: z.string().nullable(),
  subscription_end: z.iso.datetime().nullable(),
  is_trial: z.boolean(),
  trial_ends_at: z.iso.datetime().nullable(),
  is_canceled: z.boolean(),
  is_past_due: z.boolean(),
  will_renew: z.boolean(),
});
export type SubscriptionState = z.infer<typeof subscriptionState>;

export const subscriptionChangeCause = z.enum([
  'trial_started',
  'subscribed',
  'plan_changed',
  'renewed',
  'payment_failed',
  'payment_recovered',
  'cancel_scheduled',
  'cancel_undone',
  'ended',
  'trial_refused',
  'grace_ended',
  'reconciled',
  'checked',
  'account_deleted',
]);
export type SubscriptionChangeCause = z.infer<typeof subscriptionChangeCause>;

/**
 * The whole entitlement of one user. `sequence` grows by one per user: a listener drops a message whose sequence is not
 * greater than the last one it applied, and acts on `state`, never on `cause`. Published by billing.
 */
export const subscriptionChanged = defineEvent(
  'subscription.changed',
  z.object({
    user_id: z.uuid(),
    sequence: z.number().int().positive(),
    cause: subscriptionChangeCause,
    state: subscriptionState,
    previous: z.object({ subscribed: z.boolean(), plan_key: planKey.nullable(), max_slots: z.number().int().nonnegative() }).nullable(),
  }),
);
