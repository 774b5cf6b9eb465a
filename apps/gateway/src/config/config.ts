import { outgoingHttpConfig } from '@decola/outgoing-http';
import { base64Key, baseConfig, booleanText } from '@decola/service-kit';
import { z } from 'zod';

const upstream = (name: string) => z.url({ protocol: /^https?$/ }).describe(`URL of ${name} inside the cluster`);
const rate = (points: number, describe: string) => z.coerce.number().int().positive().default(points).describe(describe);

/** Everything that the gateway reads from its environment. It does not start when a value is missing or wrong. */
export const configSchema = baseConfig.extend({
  ...outgoingHttpConfig,
  INTERNAL_SIGNING_KEY: base64Key.describe('signs the caller header for the services'),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).describe('Redis for rate limits'),
  REDIS_PREFIX: z.string().default('decola:'),
  RABBITMQ_URL: z.url({ protocol: /^amqps?$/ }).describe('RabbitMQ'),
  LIVE_STREAMS: z.coerce.number().int().positive().default(5_000).describe('streams of live changes that one replica holds open'),
  SITE_URL: z.url().describe('public URL of the site'),
  PUBLISHABLE_KEY: z.string().min(16).describe('public key that clients send as apikey'),
  WEB_DIST: z.string().describe('folder of the built web app'),
  IDENTITY_URL: upstream('identity'),
  BILLING_URL: upstream('billing'),
  AUTOMATIONS_URL: upstream('automations'),
  EXTRACTION_URL: upstream('extraction'),
  PRIZE_WHEEL_URL: upstream('prize-wheel'),
  BLOG_URL: upstream('blog'),
  UPSTREAM_TIMEOUT_MS: z.coerce.number().int().positive().default(60_000).describe('how long a service may take to begin its answer'),
  ARTICLE_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .positive()
    .default(118_000)
    .describe('the same for the functions that write, illustrate or clean articles; their page waits for 120 s'),
  AUTH_TIMEOUT_MS: z.coerce.number().int().positive().default(10_000).describe('the same for auth/v1'),
  PRODUCT_NAME: z.string().default('Decola'),
  SUPPORT_EMAIL: z.email(),
  PRIVACY_EMAIL: z.email(),
  DPO_EMAIL: z.email(),
  COMPANY: z
    .string()
    .default('')
    .describe('legal name and CNPJ of the company, shown at the foot of the site, in the terms and in the privacy policy'),
  INDEXNOW_KEY: z
    .string()
    .regex(/^[A-Za-z0-9-]{8,128}$/, 'must be 8 to 128 letters, digits and hyphens')
    .optional()
    .describe('any 8 to 128 letters and digits; with it search engines are told of new articles (indexnow.org), and <key>.txt is served'),
  INDEXNOW_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://api.indexnow.org/indexnow')
    .describe('where search engines are told'),
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .optional()
    .describe('port of the metrics, which must not be public; without it they are not served'),
  TRUST_PROXY: booleanText.default(false).describe('true behind a proxy that appends the address it saw to X-Forwarded-For'),
  RATE_LIMIT_REQUESTS_PER_MINUTE: rate(6_000, 'requests to the APIs per address and minute'),
  RATE_LIMIT_USER_REQUESTS_PER_MINUTE: rate(3_000, 'requests to the APIs per person and minute'),
  RATE_LIMIT_WEBHOOK_FAILURES_PER_MINUTE: rate(60, 'invalid webhooks per address and minute; valid ones have no limit'),
  RATE_LIMIT_EXPORTS_PER_DAY: rate(5, 'data exports per person in 24 hours'),
  RATE_LIMIT_MFA_PER_2_MINUTES: rate(30, 'challenges and codes of second factors per address: 15 a minute, 30 at once'),
  RATE_LIMIT_TOKEN_PER_5_MINUTES: rate(150, 'log-ins and refreshes per address and five minutes; enforced per minute, a fifth each'),
  RATE_LIMIT_VERIFY_PER_5_MINUTES: rate(30, 'links and codes of mails per address and five minutes'),
  RATE_LIMIT_ACCOUNT_PER_5_MINUTES: rate(
    30,
    'sign-ups per address and five minutes; the same number of mailed links, recoveries, resent mails, reauthentications and changes of a user',
  ),
  RATE_LIMIT_AUTH_PER_5_MINUTES: rate(1_500, 'requests to auth/v1 per address and five minutes'),
});
export type GatewayConfig = z.infer<typeof configSchema>;
