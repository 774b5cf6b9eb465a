import { z } from 'zod';

const databaseUrl = z.url({ protocol: /^postgres(ql)?$/ });

/** Environment variables of every service with a database. */
export const databaseConfig = {
  DATABASE_URL: databaseUrl.describe('PostgreSQL, or a PgBouncer in transaction mode before it, as the role of this service'),
  DATABASE_DIRECT_URL: databaseUrl
    .optional()
    .describe('PostgreSQL itself, where DATABASE_URL leads to a PgBouncer: for what needs a session of its own; default: DATABASE_URL'),
  DATABASE_POOL_SIZE: z.coerce
    .number()
    .int()
    .min(2)
    .default(10)
    .describe('connections to DATABASE_URL that one replica may have open; automations: 15'),
};

/** The variables of `databaseConfig`, validated. */
export interface DatabaseConfig {
  DATABASE_URL: string;
  DATABASE_DIRECT_URL?: string | undefined;
  DATABASE_POOL_SIZE: number;
}
