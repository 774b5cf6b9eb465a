import { networkUsername } from '@decola/contracts';
import { baseConfig, booleanText, keyRingText } from '@decola/service-kit';
import { z } from 'zod';

/** The environment of the browser worker, which does not start when a value is missing or invalid. */
export const configSchema = baseConfig.extend({
  RABBITMQ_URL: z.url({ protocol: /^amqps?$/ }).describe('broker with the run queues'),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).describe('where leases of accounts are kept'),
  REDIS_PREFIX: z.string().default('decola:').describe('beginning of every key in Redis'),
  SESSION_KEY_RING: keyRingText.describe('opens the sealed sessions; a key ring with the same keys as that of automations'),
  NETWORK_URL: z.url({ protocol: /^https?$/ }).describe('base address of the network'),
  CHROMIUM_PATH: z.string().min(1).describe('executable of Chromium or chromium-headless-shell'),
  CHROMIUM_SANDBOX: booleanText.default(true).describe("Chromium's own sandbox; false only where the worker must run as root"),
  CONTEXTS_PER_BROWSER: z.coerce
    .number()
    .int()
    .positive()
    .default(50)
    .describe('runs after which Chromium is started anew, so that its memory stays flat'),
  WORKER_CONTEXTS: z.coerce.number().int().min(1).max(50).default(4).describe('runs at the same time'),
  WORKER_ID: z
    .string()
    .regex(/^[\w.-]{1,64}$/)
    .optional()
    .describe('name in leases and events; drawn at boot when missing'),
  LEASE_TTL_MS: z.coerce.number().int().min(1_000).default(30_000).describe('how long the account of a dead worker stays taken'),
  ANSWER_TIMEOUT_MS: z.coerce.number().int().min(500).default(15_000).describe('how long the page may take to show or to answer something'),
  WORD_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .default(5_000)
    .describe('how long a button may take to change its word after the answer'),
  REQUEST_TIMEOUT_MS: z.coerce.number().int().min(500).default(10_000).describe('how long run.reserve and slot.targets may take'),
  STOP_GRACE_MS: z.coerce.number().int().min(0).default(45_000).describe('how long a stop waits for the actions that are under way'),
  ARTIFACTS_DIR: z.string().min(1).describe('folder for pictures of runs that went wrong'),
  CANARY_PROFILE: networkUsername
    .default('instagram')
    .describe('public profile that the canary opens: with posts, followers and a message button'),
  CANARY_HASHTAG: z
    .string()
    .regex(/^[\p{L}\p{N}_]{1,100}$/u)
    .default('cafe')
    .describe('hashtag that the canary opens'),
  CANARY_POST: z
    .string()
    .regex(/^[\w-]{5,60}$/)
    .optional()
    .describe('shortcode of the post that the canary opens, with comments; one of the hashtag when missing'),
  CANARY_THREAD: z
    .string()
    .regex(/^\d{1,30}$/)
    .optional()
    .describe("number of a conversation of the canary's account, as in its address; it counts as read"),
  CANARY_GAP_MS: z.coerce.number().int().min(0).default(4_000).describe('average pause of the canary between two screens'),
});
export type WorkerConfig = z.infer<typeof configSchema>;

/** What the canary reads of it. Without a broker it says what it found to the operator alone. */
export const canaryConfigSchema = configSchema
  .pick({
    NETWORK_URL: true,
    CHROMIUM_PATH: true,
    CHROMIUM_SANDBOX: true,
    ANSWER_TIMEOUT_MS: true,
    WORD_TIMEOUT_MS: true,
    ARTIFACTS_DIR: true,
    CANARY_PROFILE: true,
    CANARY_HASHTAG: true,
    CANARY_POST: true,
    CANARY_THREAD: true,
    CANARY_GAP_MS: true,
  })
  .extend({ RABBITMQ_URL: configSchema.shape.RABBITMQ_URL.optional() });
