import { databaseConfig } from '@decola/database';
import { base64Key, baseConfig, booleanText } from '@decola/service-kit';
import { z } from 'zod';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Plain HTTP is allowed to this machine and within a network of containers, whose names have no dot. */
function isLocalHost(host: string): boolean {
  return loopback.has(host) || !/[.:]/.test(host);
}

const secretKey = z
  .string()
  .regex(/^(sk|rk)_(test|live)_[\w-]+$/)
  .describe('secret or restricted key of Stripe');
const apiBase = z
  .url({ protocol: /^https?$/ })
  .optional()
  .describe('address of a stand-in for Stripe; absent in production');

/** A live key must never reach a stand-in, and no key may cross a network unencrypted. */
function checkApiBase(
  { STRIPE_SECRET_KEY, STRIPE_API_BASE }: { STRIPE_SECRET_KEY: string; STRIPE_API_BASE?: string | undefined },
  refuse: (path: string, message: string) => void,
): void {
  if (!STRIPE_API_BASE) return;
  if (isLiveKey(STRIPE_SECRET_KEY)) refuse('STRIPE_API_BASE', 'must be absent with a live key');
  const { protocol, hostname } = new URL(STRIPE_API_BASE);
  if (protocol === 'http:' && !isLocalHost(hostname))
    refuse('STRIPE_API_BASE', 'must be https unless the host is this machine or a neighbouring container');
}

const isLiveKey = (key: string) => /^(sk|rk)_live_/.test(key);

/** The refund command's environment. */
export const refundConfigSchema = z
  .object({ DATABASE_URL: databaseConfig.DATABASE_URL, STRIPE_SECRET_KEY: secretKey, STRIPE_API_BASE: apiBase })
  .superRefine((config, context) => checkApiBase(config, (path, message) => context.addIssue({ code: 'custom', path: [path], message })));

const portalConfiguration = (plan: string) =>
  z
    .string()
    .startsWith('bpc_')
    .optional()
    .describe(`portal configuration for customers of ${plan}; default: the one that provisioning made`);

/** Billing's environment. The service does not start when a value is missing, invalid or contradicts another. */
export const configSchema = baseConfig
  .extend({
    ...databaseConfig,
    RABBITMQ_URL: z.url({ protocol: /^amqps?$/ }).describe('RabbitMQ'),
    INTERNAL_SIGNING_KEY: base64Key.describe('key of the caller header, shared with the gateway; base64 of 32 bytes'),
    SITE_URL: z.url({ protocol: /^https?$/ }).describe('public address of the product; checkout and portal send customers back to it'),
    STRIPE_SECRET_KEY: secretKey.describe(
      'secret or restricted key of Stripe; a restricted one needs write on Charges and Refunds (a plan bought twice is refunded), Checkout Sessions, Customers, Customer portal, PaymentMethods and Subscriptions, and read on Events, Invoices, Prices and Products',
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
      .describe('how often access that ends by the clock is looked for'),
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
    checkApiBase(config, refuse);
  });
export type BillingConfig = z.infer<typeof configSchema>;
