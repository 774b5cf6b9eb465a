import { longOnly, ownPostgres, type OwnPostgres, testPooler, type TestPooler } from '@decola/testing';
import pg from 'pg';
import { contractAuth } from './suites/contract-auth.js';
import { startIdentity } from './support.js';

/** Fewer than the connections of one replica's pool. */
const poolSize = 3;

describe('on the newest PostgreSQL, through PgBouncer in transaction mode', () => {
  let server: OwnPostgres;
  let pooler: TestPooler;

  beforeAll(async () => {
    server = await ownPostgres({ isNewest: true });
    pooler = await testPooler({ server: server.url, roles: { test_service: 'test_service' }, poolSize });
  });
  afterAll(async () => {
    await pooler?.dispose();
    await server?.dispose();
  });

  // In the gate other files have the contract on the usual server, and the pooler.
  for (const suite of longOnly([contractAuth])) suite((environment) => startIdentity(environment, { server: server.url, pooler }));

  it('several clients share a connection, which has the time-outs of its role', async () => {
    const identity = await startIdentity({}, { server: server.url, pooler });
    const clients = Array.from({ length: 2 * poolSize }, () => new pg.Client({ connectionString: identity.environment['DATABASE_URL']! }));
    try {
      await Promise.all(clients.map((client) => client.connect()));
      const answers = await Promise.all(
        clients.map(async (client) => {
          const { rows } = await client.query<Record<string, string>>(
            `select pg_backend_pid() as pid, current_setting('server_version_num')::int / 10000 as version,
               current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
               current_setting('idle_in_transaction_session_timeout') as idle`,
          );
          return rows[0]!;
        }),
      );
      expect(new Set(answers.map(({ pid }) => pid)).size).toBeLessThanOrEqual(poolSize);
      for (const { pid: _, ...settings } of answers) expect(settings).toEqual({ version: 18, statement: '30s', lock: '20s', idle: '1min' });
      const database = new URL(identity.database.url).pathname.slice(1);
      const pool = (await pooler.pools()).find((each) => each.database === database)!;
      expect(pool.pool_mode).toBe('transaction');
      expect(pool.clients).toBeGreaterThanOrEqual(clients.length);
      expect(pool.servers).toBeLessThanOrEqual(poolSize);
    } finally {
      await Promise.all(clients.map((client) => client.end()));
      await identity.stop();
    }
  });
});
