import { z } from 'zod';
import { parseKeyRing } from './sealer.js';

/** Token of a service's validated configuration. */
export const CONFIG = Symbol('config');

/** Environment variables of every service. */
export const baseConfig = z.object({
  PORT: z.coerce.number().int().min(0).max(65535).describe('HTTP port; 0 takes any free one'),
  HOST: z.string().default('127.0.0.1').describe('address to listen on'),
  DRAIN_MS: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .describe('how long a replica that stops says that it is not ready and goes on serving, until balancers have heard of it'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

/** A key of at least 32 bytes in base64. */
export const base64Key = z.base64().refine((text) => Buffer.from(text, 'base64').length >= 32, 'must be base64 of at least 32 bytes');

/** Keys of a `Sealer`, as `parseKeyRing` reads them. */
export const keyRingText = z.string().superRefine((text, context) => {
  try {
    parseKeyRing(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: `is wrong: ${error instanceof Error ? error.message : 'not a key ring'}` });
  }
});

/** `true` or `false` as text, converted to a boolean. */
export const booleanText = z.enum(['true', 'false']).transform((text) => text === 'true');

export class ConfigurationError extends Error {
  constructor(service: string, problems: readonly string[]) {
    super(`${service} does not start: its configuration is wrong.\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigurationError';
  }
}

/** @throws ConfigurationError that names every wrong or missing variable, and never repeats a value. */
export function loadConfig<Schema extends z.ZodObject>(
  service: string,
  schema: Schema,
  environment: NodeJS.ProcessEnv = process.env,
): z.infer<Schema> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const name = issue.path.map(String).join('.');
    const field = schema.shape[name] as z.ZodType | undefined;
    const missing = given[name] === undefined ? 'is missing' : issue.message;
    return `${name} ${missing}${field?.description ? ` (${field.description})` : ''}`;
  });
  throw new ConfigurationError(service, problems);
}
