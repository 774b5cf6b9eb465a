import { databaseConfig } from '@decola/database';
import { base64Key, baseConfig, keyRingText } from '@decola/service-kit';
import { z } from 'zod';

/** Everything that this service reads from its environment. It does not start when a value is missing or wrong. */
export const configSchema = baseConfig.extend({
  ...databaseConfig,
  RABBITMQ_URL: z.url({ protocol: /^amqps?$/ }).describe('RabbitMQ'),
  INTERNAL_SIGNING_KEY: base64Key.describe('key of the gateway’s caller header'),
  SEED_KEY_RING: keyRingText.describe('seals the seeds and coupons of prize wheels; a key ring (active=<id>;<id>:<base64 of 32 bytes>,…)'),
  WHEEL_HMAC_KEY: base64Key.describe(
    'keys the digests of networks, e-mail addresses, telephone numbers and erased handles, and signs what visitors send back; never changed: a new key forgets who took part',
  ),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).describe('Redis for rate limits'),
  REDIS_PREFIX: z.string().default('decola:'),
  RATE_LIMIT_WHEEL_SPINS_PER_MINUTE: z.coerce
    .number()
    .int()
    .positive()
    .default(30)
    .describe('spins of one wheel and network without a proof of work; above ten times as many they are refused'),
  RATE_LIMIT_WHEEL_CHECKS_PER_MINUTE: z.coerce
    .number()
    .int()
    .positive()
    .default(60)
    .describe('look-ups of handles for one wheel and network without a proof of work'),
  SITE_URL: z.url({ protocol: /^https?$/ }).describe('public address of the product; receipts of prizes are below it'),
  RATE_LIMIT_WHEEL_LOOKUPS_PER_MINUTE: z.coerce
    .number()
    .int()
    .positive()
    .default(20)
    .describe('codes of prizes that one network may look up'),
  WHEEL_JOBS_INTERVAL_MS: z.coerce
    .number()
    .int()
    .min(100)
    .default(60_000)
    .describe('how often prizes and promotions whose time is over are looked for'),
  WHEEL_NIGHTLY_INTERVAL_MS: z.coerce
    .number()
    .int()
    .min(100)
    .default(15 * 60 * 1_000)
    .describe('how often wheels are looked for that were not checked for a day; leads whose retention is over are erased then'),
});
export type PrizeWheelConfig = z.infer<typeof configSchema>;
