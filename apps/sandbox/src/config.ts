import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65_535).optional();

/** All that the sandbox reads from its environment. */
export const configSchema = z.object({
  HOST: z.string().default('127.0.0.1').describe('address to listen on; the sandbox has no locks, keep it on this machine'),
  NETWORK_PORT: port.describe('port of the stand-in for Instagram; without it that part is off'),
  STRIPE_PORT: port.describe('port of the stand-in for Stripe; without it that part is off'),
  MAILBOX_PORT: port.describe('port of the mailbox’s web page; without it that part is off'),
  SMTP_PORT: port.describe('port on which the mailbox takes mail'),
  SEED: z.string().min(1).default('20261121').describe('the network’s population is computed from it'),
  POPULATION: z.coerce.number().int().default(100_000).describe('people on the network; a multiple of 1000'),
  BUILD: z.enum(['main', 'drift']).default('main').describe('structure of the network’s pages'),
  SANDBOX_DATA_DIR: z.string().optional().describe('folder where the state outlives a restart; without it memory only'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn'),
});
export type SandboxConfig = z.infer<typeof configSchema>;

/** @throws Error that names each wrong value. */
export function readConfig(environment: NodeJS.ProcessEnv): SandboxConfig {
  // An empty value is no value.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = configSchema.safeParse(given);
  if (!result.success) throw new Error(`The sandbox cannot start:\n${z.prettifyError(result.error)}`);
  return result.data;
}
