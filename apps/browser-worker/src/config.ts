import { baseConfig, booleanText, keyRingText } from '@decola/service-kit';
import { z } from 'zod';

/** All that the browser worker reads from its environment. It does not boot when a value is missing or wrong. */
export const configSchema = baseConfig.extend({
  RABBITMQ_URL: z.url({ protocol: /^amqps?$/ }).describe('broker with the run queues'),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).describe('where leases of accounts are kept'),
  REDIS_PREFIX: z.string().default('decola:').describe('beginning of every key in Redis'),
  SESSION_KEY_RING: keyRingText.describe('id:base64 keys that open the sealed sessions; the same ring as automations'),
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
});
export type WorkerConfig = z.infer<typeof configSchema>;
