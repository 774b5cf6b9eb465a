import { base64Key, baseConfig, booleanText } from '@decola/service-kit';
import { z } from 'zod';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Plain HTTP is for this machine and for a network of containers, whose names have no dot. */
function isNearby(host: string): boolean {
  return loopback.has(host) || !/[.:]/.test(host);
}

const databaseUrl = z.url({ protocol: /^postgres(ql)?$/ }).describe('PostgreSQL, with the role of billing');
const secretKey = z
  .string()
  .regex(/^(sk|rk)_(test|live)_[\w-]+$/)
  .describe('secret or restricted key of Stripe');
const apiBase = z
  .url({ protocol: /^https?$/ })
  .optional()
  .describe('address of a stand-in for Stripe; absent in production');

/** Where calls go must fit the key: nothing live ever reaches a stand-in, and nothing travels openly over a network. */
function refuseAddress(
  { STRIPE_SECRET_KEY, STRIPE_API_BASE }: { STRIPE_SECRET_KEY: string; STRIPE_API_BASE?: string | undefined },
  refuse: (path: string, message: string) => void,
): void {
  if (!STRIPE_API_BASE) return;
  if (isLiveKey(STRIPE_SECRET_KEY)) refuse('STRIPE_API_BASE', 'must be absent with a live key');
  const { protocol, hostname } = new URL(STRIPE_API_BASE);
  if (protocol === 'http:' && !isNearby(hostname))
    refuse('STRIPE_API_BASE', 'must be https unless the host is this machine or a neighbouring container');
}

const isLiveKey = (key: string) => /^(sk|rk)_live_/.test(key);

/** What the refund command reads. */
export const refundConfigSchema = z
  .object({ DATABASE_URL: databaseUrl, STRIPE_SECRET_KEY: secretKey, STRIPE_API_BASE: apiBase })
  .superRefine((config, context) => refuseAddress(config, (path, message) => context.addIssue({ code: 'custom', path: [path], message })));

const portalConfiguration = (plan: string) =>
  z
    .string()
    .startsWith('bpc_')
    .optional()
    .describe(`portal configuration for customers of ${plan}; default: the one that provisioning made`);

/** All that billing reads from its environment. It does not boot when a value is missing, wrong or contradicts another. */
export const configSchema = baseConfig
  .extend({
    DATABASE_URL: databaseUrl,
    RABBITMQ_URL: z.url({ protocol: /^amqps?$/ }).describe('RabbitMQ'),
    INTERNAL_SIGNING_KEY: base64Key.describe('key of the caller header, shared with the gateway; base64 of 32 bytes'),
    SITE_URL: z.url({ protocol: /^https?$/ }).describe('public address of the product; checkout and portal send customers back to it'),
    STRIPE_SECRET_KEY: secretKey.describe(
      'secret or restricted key of Stripe; a restricted one needs write on Charges and Refunds (a plan bought twice is given back), Checkout Sessions, Customers, Customer portal, PaymentMethods and Subscriptions, and read on Events, Invoices, Prices and Products',
    ),
    STRIPE_WEBHOOK_SECRETS: z
      .string()
      .transform((text) =>
        text
          .split(',')
          .map((secret) => secret.trim())
          .filter(Boolean),
      )
      .pipe(z.array(z.string().startsWith('whsec_')).min(1))
      .describe('signing secrets of the webhook endpoint, comma-separated: two while they are rotated'),
    STRIPE_API_BASE: apiBase,
    STRIPE_LIVEMODE: booleanText.describe('true with live keys, false with test keys'),
    TRIAL_PEPPER: base64Key.describe('secret of the hashes that recognise a repeated trial; base64 of 32 bytes'),
    STRIPE_PORTAL_CONFIG_STARTER: portalConfiguration('starter'),
    STRIPE_PORTAL_CONFIG_PRO: portalConfiguration('pro'),
    STRIPE_PORTAL_CONFIG_PREMIUM: portalConfiguration('premium'),
    BOUNDARY_INTERVAL_MS: z.coerce
      .number()
      .int()
      .min(100)
      .default(15_000)
      .describe('how often access that ran out by the clock is looked for'),
    RECONCILIATION_INTERVAL_MS: z.coerce
      .number()
      .int()
      .min(1_000)
      .default(900_000)
      .describe('how often events that were never delivered are fetched'),
  })
  .superRefine((config, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (config.STRIPE_LIVEMODE !== isLiveKey(config.STRIPE_SECRET_KEY))
      refuse('STRIPE_LIVEMODE', 'contradicts the prefix of STRIPE_SECRET_KEY');
    refuseAddress(config, refuse);
  });
export type BillingConfig = z.infer<typeof configSchema>;
