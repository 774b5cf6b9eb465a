import { base64Key, baseConfig, keyRingText } from '@decola/service-kit';
import { z } from 'zod';
import { ceilingTable, defaultCeilings } from './runs/ceilings.js';
import { defaultQuietHours, quietHours } from './runs/quiet-hours.js';

/** JSON text of a value with a schema of its own. */
function json<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: 'is no JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);
}

/** `min-max`, in milliseconds. */
const range = z
  .string()
  .regex(/^\d+-\d+$/, 'must be min-max in milliseconds, such as 30000-90000')
  .transform((text) => {
    const [min = 0, max = 0] = text.split('-').map(Number);
    return { min: Math.min(min, max), max: Math.max(min, max) };
  });

const milliseconds = z.coerce.number().int().positive();

/** All that this service reads from its environment. It does not boot when a value is missing or wrong. */
export const configSchema = baseConfig.extend({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).describe('PostgreSQL, as the role of this service'),
  RABBITMQ_URL: z.url({ protocol: /^amqps?$/ }).describe('RabbitMQ'),
  INTERNAL_SIGNING_KEY: base64Key.describe('key of the gateway’s caller header'),
  SESSION_KEY_RING: keyRingText.describe('keys that seal customers’ sessions; the first one seals, all of them open'),
  ACCOUNT_KEY_PEPPER: base64Key.describe('keys the HMAC that turns an account of the network into its accountKey; never changed'),
  CEILINGS: json(ceilingTable)
    .default(defaultCeilings)
    .describe('most actions and list pages per account by age of its session, and per hour; JSON'),
  QUIET_HOURS: json(quietHours)
    .default(defaultQuietHours)
    .describe('{"from":"23:00","to":"07:00"} in America/Sao_Paulo, or null for none; JSON'),
  ACTION_GAP_MS: range.default({ min: 30_000, max: 90_000 }).describe('pause between two actions of one account, min-max'),
  PAGE_GAP_MS: range.default({ min: 15_000, max: 45_000 }).describe('pause between two pages of a list, min-max'),
  SCHEDULER_INTERVAL_MS: milliseconds.default(1_000).describe('pause between two looks for due automations'),
  SCHEDULER_BATCH: z.coerce
    .number()
    .int()
    .min(1)
    .max(5_000)
    .default(500)
    .describe('most automations that one look dispatches in one transaction'),
  SCHEDULER_ENABLED: z.enum(['true', 'false']).default('true').describe('false leaves dispatching to other replicas'),
  UNFOLLOW_AFTER_DAYS: z.coerce
    .number()
    .min(0)
    .default(5)
    .describe('people are unfollowed this many days after the follow, at the earliest'),
  SESSION_CHECK_WAIT_MS: z.coerce
    .number()
    .int()
    .min(0)
    .default(120_000)
    .describe('runs of a new session wait this long for the visit that checks it; 0: no visit, the first run finds out'),
  RUN_JOB_TTL_MS: milliseconds.default(3_600_000).describe('a run that no worker began within this time is given up and planned again'),
  RUN_SILENCE_MS: milliseconds.default(900_000).describe('a run that reports nothing for this long is given up and continued by another'),
});
export type AutomationsConfig = z.infer<typeof configSchema>;
