import { DatabaseClient } from './database-client.js';

/**
 * Runs `work` while a database session holds an advisory lock, for work that is longer than a transaction may be. The lock ends with this process.
 * @param directUrl leads to the server itself: a pooler would give the session to others
 * @param key with the service's schema the key of the lock
 * @returns undefined when another process holds the lock
 */
export async function withSessionLock<Result>(directUrl: string, key: number, work: () => Promise<Result>): Promise<Result | undefined> {
  const client = new DatabaseClient({
    connectionString: directUrl,
    application_name: 'session lock',
    connectionTimeoutMillis: 10_000,
    query_timeout: 10_000,
    keepAlive: true,
  });
  await client.connect();
  try {
    const { rows } = await client.query<{ acquired: boolean }>('select pg_try_advisory_lock($1, hashtext(current_schema())) as acquired', [
      key,
    ]);
    return rows[0]?.acquired ? await work() : undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}
