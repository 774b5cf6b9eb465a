import { automationTypes, type ToolType, toolsInOperation } from '@decola/contracts';
import { databaseConfig } from '@decola/database';
import { base64Key, baseConfig, keyRingText } from '@decola/service-kit';
import { z } from 'zod';
import { ceilingTable, defaultCeilings } from '../safety/ceilings.js';
import { defaultQuietHours, quietHours } from '../safety/quiet-hours.js';

/** A variable that holds JSON text, checked by `schema`. */
function json<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: 'is not JSON' });
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

const toolTypes = [...automationTypes, 'blog-automation'] as const satisfies readonly ToolType[];

const milliseconds = z.coerce.number().int().positive();

/** Everything that this service reads from its environment. It does not boot when a value is missing or invalid. */
export const configSchema = baseConfig.extend({
  ...databaseConfig,
  // The scheduler's batches and the reports of many runs come on top of requests.
  DATABASE_POOL_SIZE: databaseConfig.DATABASE_POOL_SIZE.default(15),
  RABBITMQ_URL: z.url({ protocol: /^amqps?$/ }).describe('RabbitMQ'),
  INTERNAL_SIGNING_KEY: base64Key.describe('key of the gateway’s caller header'),
  SESSION_KEY_RING: keyRingText.describe('seals customers’ sessions; a key ring (active=<id>;<id>:<base64 of 32 bytes>,…)'),
  ACCOUNT_KEY_PEPPER: base64Key.describe('keys the HMAC that turns an account of the network into its accountKey; never changed'),
  CEILINGS: json(ceilingTable)
    .default(defaultCeilings)
    .describe('most actions, list pages and page views of an account per day, by the age of its first session, and per hour; JSON'),
  QUIET_HOURS: json(quietHours)
    .default(defaultQuietHours)
    .describe(
      'quiet hours of accounts whose customer set none, in the customer’s time zone: {"from":"23:00","to":"07:00"}, or null for none; JSON',
    ),
  ACTION_GAP_MS: range.default({ min: 30_000, max: 90_000 }).describe('pause between two actions of one account, min-max'),
  PAGE_GAP_MS: range.default({ min: 15_000, max: 45_000 }).describe('pause between two pages of a list, min-max'),
  SCHEDULER_INTERVAL_MS: milliseconds.default(1_000).describe('pause between two ticks of the scheduler'),
  SCHEDULER_BATCH: z.coerce.number().int().min(1).max(5_000).default(500).describe('most automations that one transaction dispatches'),
  SCHEDULER_ENABLED: z
    .enum(['true', 'false'])
    .default('true')
    .describe('false: this replica does no scheduled work and leaves it to others'),
  TOOLS_IN_OPERATION: z
    .string()
    .default(toolsInOperation.join(','))
    .transform((text) => text.split(',').flatMap((tool) => tool.trim() || []))
    .pipe(z.array(z.enum(toolTypes)))
    .describe(
      'tools that customers may publish, comma separated; all others can be saved as drafts only. The pages offer those of the release',
    ),
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
    .describe('runs of a new session wait this long for the visit that checks it; 0: no visits, the first run finds out'),
  WEBHOOK_PLAIN_HOSTS: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((host) => host.trim().toLowerCase() || []))
    .describe(
      'hosts (host or host:port, comma separated) that articles may be sent to without TLS and within our own network, such as a sandbox',
    ),
  RUN_JOB_TTL_MS: milliseconds.default(3_600_000).describe('a run that no worker began within this time is given up and planned again'),
  RUN_SILENCE_MS: milliseconds
    .default(900_000)
    .describe('a run that reports nothing for this long is given up and continued by another one'),
});
export type AutomationsConfig = z.infer<typeof configSchema>;
