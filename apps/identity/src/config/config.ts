import { databaseConfig } from '@decola/database';
import { mailerConfig } from '@decola/mailer';
import { base64Key, baseConfig, booleanText, keyRingText } from '@decola/service-kit';
import { z } from 'zod';
import { tokenKeys } from './token-keys.js';

const seconds = (value: number, describe: string) => z.coerce.number().int().nonnegative().default(value).describe(describe);

/** First choice of OWASP's password storage cheat sheet for argon2id: 19 MiB, 2 passes, 1 lane. */
const passwordCost = { memoryKib: 19_456, passes: 2 };

/** Whether a site under this URL can only be reached from this machine, or not at all: these domains are never public (RFC 6761). */
const isLocal = (url: string) => /^(127\.0\.0\.1|\[::1\]|(.+\.)?(localhost|test|example|invalid))$/.test(new URL(url).hostname);

/** All that this service reads from its environment. */
export const configSchema = baseConfig
  .extend({
    ...mailerConfig,
    ...databaseConfig,
    RABBITMQ_URL: z.url({ protocol: /^amqps?$/ }).describe('RabbitMQ'),
    INTERNAL_SIGNING_KEY: base64Key.describe('key of the gateway’s caller header'),
    REDIS_URL: z.url({ protocol: /^rediss?$/ }).describe('Redis for rate limits'),
    REDIS_PREFIX: z.string().default('decola:'),
    SITE_URL: z.url().describe('public URL of the site; links lead there unless they name another allowed URL'),
    TOKEN_KEYS: tokenKeys.describe(
      'private ES256 JWKs with kid, as a JSON list, of which the first one signs, or {"active": kid, "keys": list}; all are accepted',
    ),
    TOKEN_ISSUER: z.url().describe('issuer of access tokens: <SITE_URL>/auth/v1'),
    FACTOR_KEY_RING: keyRingText.describe(
      'encrypts secrets of second factors at rest; a key ring (active=<id>;<id>:<base64 of 32 bytes>,…)',
    ),
    MAIL_KEY_RING: mailerConfig.MAIL_KEY_RING.describe(
      'encrypts queued mails at rest and keys the digests of their codes; a key ring (active=<id>;<id>:<base64 of 32 bytes>,…)',
    ),
    PASSWORD_MEMORY_KIB: z.coerce
      .number()
      .int()
      .min(8)
      .default(passwordCost.memoryKib)
      .describe('memory of one hash of a password; less than the default is refused for a public SITE_URL'),
    PASSWORD_PASSES: z.coerce
      .number()
      .int()
      .min(1)
      .default(passwordCost.passes)
      .describe('passes of one hash of a password; less than the default is refused for a public SITE_URL'),
    FACTOR_WRONG_CODES_PER_5_MINUTES: z.coerce.number().int().positive().default(10).describe('wrong codes of a second factor per person'),
    FACTOR_WRONG_CODES_PER_DAY: z.coerce.number().int().positive().default(50).describe('wrong codes of one second factor within 24 hours'),
    ACCESS_TOKEN_SECONDS: z.coerce.number().int().min(120).default(3600).describe('lifetime of access tokens'),
    REFRESH_REUSE_SECONDS: seconds(10, 'how long older refresh tokens are accepted after the last refresh'),
    SESSION_TIMEBOX_SECONDS: seconds(0, 'longest lifetime of a session; 0 for no limit'),
    SESSION_INACTIVITY_SECONDS: seconds(0, 'longest time between two refreshes of a session; 0 for no limit'),
    SESSION_LOW_AAL_SECONDS: seconds(0, 'how long a session may stay at aal1 when its person has a second factor; 0 for no limit'),
    SINGLE_SESSION: booleanText.default(false).describe('a newer sign-in makes older sessions unrefreshable'),
    REQUIRE_REAUTHENTICATION: booleanText.default(false).describe('a new password needs a mailed code in sessions older than a day'),
    MAIL_GAP_SECONDS: seconds(60, 'shortest time between two mails to one person'),
    MAIL_TOKEN_SECONDS: seconds(3600, 'lifetime of links and codes in mails'),
    MAILS_PER_HOUR: z.coerce.number().int().positive().default(2_000).describe('mails with links or codes per hour, over all people'),
    AUTO_CONFIRM_EMAIL: booleanText.default(true).describe('addresses count as confirmed at sign-up'),
    REDIRECT_ALLOW_LIST: z
      .string()
      .default('')
      .transform((text) =>
        text
          .split(',')
          .map((each) => each.trim())
          .filter(Boolean),
      )
      .describe('further URLs that links may lead to: globs, separated by commas'),
  })
  .superRefine((config, context) => {
    if (isLocal(config.SITE_URL)) return;
    const refuse = (path: string, least: number) =>
      context.addIssue({ code: 'custom', path: [path], message: `must be at least ${least} where SITE_URL is public` });
    if (config.PASSWORD_MEMORY_KIB < passwordCost.memoryKib) refuse('PASSWORD_MEMORY_KIB', passwordCost.memoryKib);
    if (config.PASSWORD_PASSES < passwordCost.passes) refuse('PASSWORD_PASSES', passwordCost.passes);
  });
export type IdentityConfig = z.infer<typeof configSchema>;
