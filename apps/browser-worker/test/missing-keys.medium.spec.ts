import { randomBytes, randomUUID } from 'node:crypto';
import {
  builtEntry,
  authenticated,
  eventually as waitUntil,
  freePort,
  runCommand,
  testBroker,
  type TestBroker,
  testDatabase,
  type TestDatabase,
  testRedis,
  testSigningKey,
} from '@decola/testing';
import { DataSource } from 'typeorm';
import { logLines } from './support/log-lines.js';
import { Network } from './support/network.js';
import { type RunningProcess, startProcess, startWorker } from './support/processes.js';

const eventually = (assertion: () => unknown) => waitUntil(assertion, { timeoutMs: 90_000 });
const key = () => randomBytes(32).toString('base64');

/** The built automations, its database, and workers whose key rings differ while a key is rotated. */
describe('the newest key of SESSION_KEY_RING, which a worker does not have yet', () => {
  const [old, fresh] = [`old:${key()}`, `fresh:${key()}`];
  const network = new Network();
  const redis = testRedis();
  const processes: RunningProcess[] = [];
  let database: TestDatabase;
  let broker: TestBroker;
  let db: DataSource;
  let automations: RunningProcess;

  const worker = async (ring: string) => {
    const started = await startWorker(
      { brokerUrl: broker.url, redisUrl: redis.url, redisPrefix: redis.prefix, networkUrl: network.url },
      { SESSION_KEY_RING: ring },
    );
    processes.push(started);
    return started;
  };
  const unopened = async ({ url }: RunningProcess, reason: string) => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(new RegExp(`^sealed_data_unopened_total\\{ring="SESSION_KEY_RING",reason="${reason}".*\\} (\\d+)$`, 'm').exec(text)?.[1]);
  };
  const finishedRuns = ({ output }: RunningProcess) => logLines(output()).filter(({ msg }) => msg === 'run finished');
  /** A customer pastes a session, which automations has checked by a worker at once. @returns the id of its row */
  const paste = async (userId: string) => {
    const { cookies } = await network.customer();
    const answer = await fetch(`${automations.url}/rest/v1/instagram_sessions?select=id`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', prefer: 'return=representation', ...authenticated(userId) },
      body: JSON.stringify({
        user_id: userId,
        session_id: 's',
        cookies: { raw_cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') },
        username: 'x',
        is_active: true,
      }),
    });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as [{ id: string }])[0].id;
  };
  const session = async (id: string) => {
    const [row] = await db.query<Record<string, unknown>[]>(
      'select is_active, ended_cause, check_state, check_reason, envelope from instagram_sessions where id = $1',
      [id],
    );
    return row;
  };

  beforeAll(async () => {
    [database, broker] = await Promise.all([testDatabase({ migrations: [] }), testBroker(), network.start()]);
    const main = builtEntry('apps/automations');
    expect(await runCommand('automations', 'migrate', { DATABASE_URL: database.url })).toMatchObject({ status: 0 });
    db = await new DataSource({ type: 'postgres', url: database.url }).initialize();
    const port = await freePort();
    automations = await startProcess(
      main,
      {
        PORT: String(port),
        LOG_LEVEL: 'warn',
        DATABASE_URL: database.url,
        RABBITMQ_URL: broker.url,
        INTERNAL_SIGNING_KEY: testSigningKey,
        SITE_URL: 'https://decola.example',
        ACCOUNT_KEY_PEPPER: key(),
        SESSION_KEY_RING: `active=fresh;${old},${fresh}`,
        // Longer than any machine needs: the visit must not be given up meanwhile.
        SESSION_CHECK_WAIT_MS: '3600000',
      },
      '/health/ready',
      port,
    );
    processes.push(automations);
  });
  afterEach(async () => {
    for (const each of processes.splice(1)) {
      each.kill('SIGKILL');
      await each.ended;
    }
  });
  afterAll(async () => {
    automations?.kill('SIGKILL');
    await automations?.ended;
    await db?.destroy();
    await network.stop();
    await Promise.all([database?.dispose(), broker?.dispose(), redis.dispose()]);
  });

  it('puts the run back and keeps the session, and the run is done once when a worker has the key', async () => {
    const behind = await worker(old);
    expect(await unopened(behind, 'unknown_key')).toBe(0);
    const id = await paste(randomUUID());
    const before = await session(id);
    expect(before).toMatchObject({
      is_active: true,
      ended_cause: null,
      check_state: 'checking',
      envelope: expect.stringMatching(/^v1\.fresh\./),
    });
    // It comes back by itself.
    await eventually(async () => expect(await unopened(behind, 'unknown_key')).toBeGreaterThan(1));
    expect(finishedRuns(behind)).toEqual([]);
    expect(await session(id)).toEqual(before);

    const current = await worker(`active=fresh;${old},${fresh}`);
    behind.kill('SIGTERM');
    await behind.ended;
    await eventually(async () => expect(await session(id)).toMatchObject({ check_state: 'good' }));
    expect(await session(id)).toMatchObject({ is_active: true, ended_cause: null, check_reason: null, envelope: before!['envelope'] });
    expect(finishedRuns(behind)).toEqual([]);
    expect(finishedRuns(current)).toMatchObject([{ outcome: 'done', stop: null }]);
    expect(await unopened(current, 'unknown_key')).toBe(0);
  });

  it('is not taken for another key with the same id: that run is put back, too', async () => {
    const wrong = await worker(`${old},fresh:${key()}`);
    const id = await paste(randomUUID());
    const before = await session(id);
    await eventually(async () => expect(await unopened(wrong, 'mismatch')).toBeGreaterThan(0));
    expect(finishedRuns(wrong)).toEqual([]);
    expect(await session(id)).toEqual(before);
  });
});
