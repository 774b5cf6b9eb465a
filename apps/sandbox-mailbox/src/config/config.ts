import { z } from 'zod';

/** Environment of the mailbox. */
export const configSchema = z.object({
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe('address to listen on; everybody who reaches it reads all mails, so keep it on this machine'),
  PORT: z.coerce.number().int().min(0).max(65_535).describe('port of the web page and of `/messages`; 0 takes a free one'),
  SMTP_PORT: z.coerce.number().int().min(0).max(65_535).describe('port on which mail is received; 0 takes a free one'),
  DATA_DIR: z.string().optional().describe('folder in which the mails outlive a restart; without it they are in memory only'),
});
export type Config = z.infer<typeof configSchema>;

/** @throws Error that names each wrong value. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  // `NAME=` in an environment file means that the variable is not set.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = configSchema.safeParse(given);
  if (!result.success) throw new Error(`sandbox-mailbox cannot start:\n${z.prettifyError(result.error)}`);
  return result.data;
}
