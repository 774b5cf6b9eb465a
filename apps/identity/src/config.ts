import { base64Key, baseConfig, booleanText, keyRingText } from '@decola/service-kit';
import { z } from 'zod';

const privateKey = z.looseObject({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  kid: z.string().min(1),
  d: z.string().min(1),
  x: z.string(),
  y: z.string(),
});

/** A JSON list of private JWKs; the first one signs, all are published. */
const tokenKeys = z.string().transform((text, context) => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'is no JSON' });
    return z.NEVER;
  }
  const parsed = z.array(privateKey).min(1).safeParse(value);
  if (parsed.success) return parsed.data;
  context.addIssue({ code: 'custom', message: 'is no list of private ES256 keys with kid' });
  return z.NEVER;
});

const seconds = (value: number, describe: string) => z.coerce.number().int().nonnegative().default(value).describe(describe);

/** All that this service reads from its environment. */
export const configSchema = baseConfig.extend({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).describe('PostgreSQL, as the role of this service'),
  RABBITMQ_URL: z.url({ protocol: /^amqps?$/ }).describe('RabbitMQ'),
  INTERNAL_SIGNING_KEY: base64Key.describe('key of the gateway’s caller header'),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).describe('Redis for limits on tries'),
  REDIS_PREFIX: z.string().default('decola:'),
  SITE_URL: z.url().describe('public address of the site; where links lead when they name no other'),
  TOKEN_KEYS: tokenKeys.describe('JSON list of private ES256 JWKs with kid; the first signs'),
  TOKEN_ISSUER: z.url().describe('issuer of access tokens: SITE_URL/auth/v1'),
  FACTOR_KEY_RING: keyRingText.describe('seals secrets of second factors at rest; the first key seals, all of them open'),
  MAIL_KEY_RING: keyRingText.describe('seals mails that wait to be sent and keys the digests of their codes; the first key seals'),
  FACTOR_WRONG_CODES_PER_5_MINUTES: z.coerce.number().int().positive().default(10).describe('wrong codes of a second factor per person'),
  ACCESS_TOKEN_SECONDS: z.coerce.number().int().min(120).default(3600).describe('life of access tokens'),
  REFRESH_REUSE_SECONDS: seconds(10, 'older refresh tokens are still taken for this long after the last refresh'),
  SESSION_TIMEBOX_SECONDS: seconds(0, 'longest life of a session; 0 for no end'),
  SESSION_INACTIVITY_SECONDS: seconds(0, 'longest time between two refreshes of a session; 0 for any'),
  SESSION_LOW_AAL_SECONDS: seconds(0, 'how long a session may go without the second factor that its person has; 0 for any time'),
  SINGLE_SESSION: booleanText.default(false).describe('a newer log-in ends the refreshes of the older ones'),
  REQUIRE_REAUTHENTICATION: booleanText.default(false).describe('a new password needs a mailed code in sessions older than a day'),
  MAIL_GAP_SECONDS: seconds(60, 'shortest time between two mails to one person'),
  MAIL_TOKEN_SECONDS: seconds(3600, 'life of links and codes in mails'),
  MAILS_PER_HOUR: z.coerce.number().int().positive().default(2_000).describe('mails of accounts, over all people'),
  AUTO_CONFIRM_EMAIL: booleanText.default(true).describe('addresses are taken as confirmed at sign-up'),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).describe('mail server'),
  MAIL_FROM: z.string().min(3),
  PRODUCT_NAME: z.string().default('Decola'),
  SUPPORT_EMAIL: z.email().optional().describe('where mails say that one may ask'),
  REDIRECT_ALLOW_LIST: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((each) => each.trim())
        .filter(Boolean),
    )
    .describe('further addresses that links may lead to, as globs, by commas'),
});
export type IdentityConfig = z.infer<typeof configSchema>;
