import { z } from 'zod';
import { defineEvent } from '../messages/definitions.js';

/** Keys of all plans, smallest plan first. */
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
  /** Status in the payment provider's terms (`trialing`, `active`, `past_due`, ...); null when there never was a subscription. */
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
 * The complete entitlement of one user. `sequence` grows by one per user: a listener drops a message whose sequence is not
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

/**
 * A subscription's invoice was paid; once per invoice, for the issuer of fiscal documents. Tax numbers stay out of messages: the
 * operator's export from the payment provider has them. Published by billing.
 */
export const paymentReceived = defineEvent(
  'payment.received',
  z.object({
    user_id: z.uuid(),
    invoice_id: z.string().min(1),
    /** Centavos, above zero. */
    amount: z.number().int().positive(),
    currency: z.literal('brl'),
    period_start: z.iso.datetime(),
    period_end: z.iso.datetime(),
    plan_key: planKey,
    paid_at: z.iso.datetime(),
  }),
);

/** An invoice that `payment.received` reported was refunded in full; once per invoice. Published by billing. */
export const paymentRefunded = defineEvent(
  'payment.refunded',
  z.object({
    user_id: z.uuid(),
    invoice_id: z.string().min(1),
    /** Centavos. */
    amount: z.number().int().positive(),
    currency: z.literal('brl'),
    refunded_at: z.iso.datetime(),
  }),
);

/** A trial ends soon and will then be charged; once per trial. Published by billing for the service that notifies customers. */
export const trialEnding = defineEvent(
  'trial.ending',
  z.object({
    user_id: z.uuid(),
    plan_name: z.string(),
    trial_ends_at: z.iso.datetime(),
    /** Centavos that will be charged then. */
    amount: z.number().int().nonnegative(),
  }),
);

/** A charge failed; once per invoice and attempt. Published by billing for the service that notifies customers. */
export const paymentFailed = defineEvent(
  'payment.failed',
  z.object({
    user_id: z.uuid(),
    invoice_id: z.string().min(1),
    attempt: z.number().int().nonnegative(),
    /** Centavos that are still due. */
    amount: z.number().int().nonnegative(),
    /** True when the bank asks its customer to confirm the payment; the card itself is valid. */
    action_required: z.boolean(),
    /** URL of the page where the invoice can be paid; null when the provider has none. */
    invoice_url: z.url().nullable(),
    /** Until when the customer keeps access without a payment; null when access has ended already. */
    access_until: z.iso.datetime().nullable(),
  }),
);
