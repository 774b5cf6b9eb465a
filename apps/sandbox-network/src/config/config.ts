import { z } from 'zod';
import { buildNames } from '../build/traits.js';

/** Environment of the stand-in for the network. */
export const configSchema = z.object({
  HOST: z.string().default('127.0.0.1').describe('address to listen on; the control interface needs no log-in, so keep it on this machine'),
  PORT: z.coerce.number().int().min(0).max(65_535).describe('port to listen on; 0 takes a free one'),
  SEED: z.string().min(1).default('20261121').describe('the population is computed from it'),
  POPULATION: z.coerce.number().int().default(100_000).describe('people on the network; a multiple of 1000'),
  BUILD: z.enum(buildNames).default('main').describe('structure of the pages'),
  DATA_DIR: z.string().optional().describe('folder in which the state outlives a restart; without it the state is in memory only'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn'),
});
export type Config = z.infer<typeof configSchema>;

/** @throws Error that names each wrong value. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  // `NAME=` in an environment file means that the variable is not set.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = configSchema.safeParse(given);
  if (!result.success) throw new Error(`sandbox-network cannot start:\n${z.prettifyError(result.error)}`);
  return result.data;
}
