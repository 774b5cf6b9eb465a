import { z } from 'zod';

/** Environment of the stand-in for the model server. */
export const configSchema = z.object({
  HOST: z.string().default('127.0.0.1').describe('address to listen on; the control interface needs no log-in, so keep it on this machine'),
  PORT: z.coerce.number().int().min(0).max(65_535).describe('port to listen on; 0 takes a free one'),
  SEED: z.string().min(1).default('20261121').describe('texts and pictures are computed from it and from the request'),
  TOKENS_PER_SECOND: z.coerce.number().int().min(0).default(0).describe('speed at which answers are written; 0: at once'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn'),
});
export type Config = z.infer<typeof configSchema>;

/** @throws Error that names each wrong value. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  // `NAME=` in an environment file means that the variable is not set.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = configSchema.safeParse(given);
  if (!result.success) throw new Error(`sandbox-model cannot start:\n${z.prettifyError(result.error)}`);
  return result.data;
}
