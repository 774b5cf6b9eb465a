import { randomBytes, randomUUID } from 'node:crypto';
import { dataSourceOptions } from '@decola/database';
import { createService } from '@decola/service-kit';
import {
  eventually,
  tcpProxy,
  type TcpProxy,
  testBroker,
  type TestBroker,
  testDatabase,
  type TestDatabase,
  testSigningKey,
} from '@decola/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { AppModule, listen } from '../src/app.module.js';
import { configSchema } from '../src/config/config.js';
import { migrations } from '../src/migrations/index.js';

const silenceMs = 4_000;

describe('after an outage of the database', () => {
  let database: TestDatabase;
  let broker: TestBroker;
  let way: TcpProxy;
  let direct: DataSource;
  let app: NestFastifyApplication;

  beforeAll(async () => {
    [database, broker] = await Promise.all([testDatabase({ migrations, roleName: 'test_automations' }), testBroker()]);
    way = await tcpProxy(database.url);
    direct = await new DataSource(dataSourceOptions({ url: database.url })).initialize();
    app = await createService({
      name: 'automations',
      configSchema,
      module: (config) => AppModule.forRoot(config),
      configure: listen,
      environment: {
        PORT: '0',
        LOG_LEVEL: 'silent',
        DATABASE_URL: way.url,
        RABBITMQ_URL: broker.url,
        INTERNAL_SIGNING_KEY: testSigningKey,
        SESSION_KEY_RING: `test:${randomBytes(32).toString('base64')}`,
        ACCOUNT_KEY_PEPPER: randomBytes(32).toString('base64'),
        SCHEDULER_INTERVAL_MS: '50',
        RUN_SILENCE_MS: String(silenceMs),
      },
    });
  });
  afterAll(async () => {
    await app?.close();
    await direct?.destroy();
    await way?.dispose();
    await Promise.all([database?.dispose(), broker?.dispose()]);
  });

  it('a run is given up only after its waiting reports could have been handled', async () => {
    const runId = randomUUID();
    await way.cut();
    // The last report came just before the outage; when the outage ends, that is longer ago than a run may be silent.
    await direct.query(
      `insert into runs (id, automation_id, automation_type, user_id, account_key, session_id, kind, queue, plan, budget, state, queued_at, expires_at, seen_at)
       values ($1, $2, 'auto-follow-unfollow', $3, $4, $5, 'follow', 'browser.runs.scheduled', '{}', 3, 'running',
         now() - interval '2 minutes', now() + interval '1 hour', now() - interval '1 minute')`,
      [runId, randomUUID(), randomUUID(), randomBytes(16).toString('hex'), randomUUID()],
    );
    const state = async () => (await direct.query<{ state: string }[]>('select state from runs where id = $1', [runId]))[0]?.state;
    await eventually(async () => expect((await fetch(`${await app.getUrl()}/health/ready`)).status).toBe(503));
    await new Promise((resolve) => setTimeout(resolve, silenceMs));
    await way.restore();
    const back = performance.now();
    await eventually(async () => expect(await state()).toBe('abandoned'), { everyMs: 20 });
    // The scheduler ticks twenty times a second, and its last tick failed just before.
    expect(performance.now() - back).toBeGreaterThan(silenceMs / 2);
  });
});
