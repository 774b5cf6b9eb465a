import { databaseConfig } from '@decola/database';
import { mailerConfig } from '@decola/mailer';
import { outgoingHttpConfig } from '@decola/outgoing-http';
import { base64Key, baseConfig, keyRingText } from '@decola/service-kit';
import { z } from 'zod';

/** Everything that this service reads from its environment. It does not start when a value is missing or wrong. */
export const configSchema = baseConfig.extend({
  ...mailerConfig,
  ...outgoingHttpConfig,
  ...databaseConfig,
  RABBITMQ_URL: z.url({ protocol: /^amqps?$/ }).describe('RabbitMQ'),
  INTERNAL_SIGNING_KEY: base64Key.describe('key of the gateway’s caller header'),
  SITE_URL: z.url({ protocol: /^https?$/ }).describe('public address; download links begin with it'),
  DOWNLOAD_SIGNING_KEY: base64Key.describe('32 bytes; signs download links'),
  DOWNLOAD_LINK_SECONDS: z.coerce.number().int().min(10).max(86_400).default(600).describe('how long a download link may be opened'),
  RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .default(180)
    .describe('collected people are erased this many days after the last page of their list'),
  RETENTION_INTERVAL_MS: z.coerce
    .number()
    .int()
    .min(100)
    .default(60 * 60 * 1000)
    .describe('how often expired lists are looked for'),
  WEBHOOK_KEY_RING: keyRingText.describe('encrypts the secrets of webhooks at rest; a key ring (active=<id>;<id>:<base64 of 32 bytes>,…)'),
  WEBHOOK_RETRY_SECONDS: z
    .string()
    .regex(/^\d+(,\d+)*$/, 'must be seconds, separated by commas')
    .default('60,540,3000,18000,64800,172800')
    .transform((text) => text.split(',').map(Number))
    .describe(
      'pauses between the attempts to deliver to a webhook, separated by commas; by default 1 minute to 2 days, three days together',
    ),
  WEBHOOK_INTERVAL_MS: z.coerce.number().int().min(10).default(1_000).describe('how often due deliveries are looked for'),
  DAILY_NEWS_INTERVAL_MS: z.coerce.number().int().min(10).default(60_000).describe('how often the hour of the daily mails is looked at'),
});
export type ExtractionConfig = z.infer<typeof configSchema>;
