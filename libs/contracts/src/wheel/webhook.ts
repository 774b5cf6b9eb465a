import { z } from 'zod';

/** What a customer's webhook is told (Standard Webhooks 1.0). `webhook.test` is sent only when the customer asks for it. */
export const webhookEvents = ['lead.captured', 'lead.erased', 'prize.delivered', 'webhook.test'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** Body of `lead-webhook`. */
export const leadWebhookBody = z.looseObject({
  automationId: z.uuid(),
  /**
   * `set`: calls this address from now on, with a new secret. `remove`: forgets address, secret and deliveries. `test`: sends `webhook.test` at once.
   * `resend`: sends a delivery once more.
   */
  action: z.enum(['get', 'set', 'remove', 'test', 'resend']),
  /** Of `set`. */
  url: z.string().max(2_000).nullish(),
  /** Of `resend`. */
  deliveryId: z.string().max(100).nullish(),
});
export type LeadWebhookBody = z.infer<typeof leadWebhookBody>;

/**
 * `waiting`: an attempt is due or under way. `delivered`: answered with 2xx. `failed`: given up. `canceled`: not sent, because the lead was erased or the
 * webhook was ended.
 */
export const deliveryStatuses = ['waiting', 'delivered', 'failed', 'canceled'] as const;

export const webhookDelivery = z.object({
  /** `webhook-id` of every attempt. */
  id: z.string(),
  event: z.enum(webhookEvents),
  /** Number of the participation; null for a test. */
  number: z.number().int().nullable(),
  /** When it happened. */
  at: z.iso.datetime(),
  status: z.enum(deliveryStatuses),
  attempts: z.number().int().nonnegative(),
  /** HTTP status of the last answer; null when none came. */
  httpStatus: z.number().int().nullable(),
  /** Why the last attempt failed, in the customer's words. */
  lastError: z.string().nullable(),
  /** When it is tried next; null when it is not. */
  nextAttemptAt: z.iso.datetime().nullable(),
});
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

/** Answer of `lead-webhook`; refusals are `{success: false, error, code}`. */
export const leadWebhookAnswer = z.object({
  success: z.literal(true),
  /** Null when the wheel has none. */
  webhook: z
    .object({
      url: z.string(),
      /** `whsec_…`. Only in the answer to `set`: it is not shown again. */
      secret: z.string().nullable(),
      /** `ended`: the address answered 410, so that nothing more is sent until it is set again. */
      state: z.enum(['active', 'ended']),
    })
    .nullable(),
  /** The last hundred, newest first. */
  deliveries: z.array(webhookDelivery),
});
export type LeadWebhookAnswer = z.infer<typeof leadWebhookAnswer>;
