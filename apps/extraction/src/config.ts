import { base64Key, baseConfig } from '@decola/service-kit';
import { z } from 'zod';

/** All that this service reads from its environment. It does not boot when a value is missing or wrong. */
export const configSchema = baseConfig.extend({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).describe('PostgreSQL, as the role of this service'),
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
});
export type ExtractionConfig = z.infer<typeof configSchema>;
