import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { eventually, infrastructure, ownPostgres, type OwnPostgres, ServiceProcess, testBroker, testRedis } from '@decola/testing';
import pg from 'pg';
import { parse } from 'yaml';
import { freePort } from '../../../scripts/lib/ports.mjs';
import { knownInfrastructure } from '../../../scripts/lib/infrastructure.mjs';
import { dropBroker, dropDatabase, roleOf, servicesWithDatabase } from '../../../scripts/lib/provision.mjs';
import { System } from '../../../scripts/lib/system.mjs';

const root = path.resolve(__dirname, '../../..');

type Environment = Record<string, string>;

/** The environment of a service in docker-compose.yml, as Compose fills it in, with the database at `server`. */
function composeEnvironment(service: string, variables: Environment, server: string): Environment {
  const { services } = parse(readFileSync(path.join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
    services: Record<string, { environment: Environment }>;
  };
  return Object.fromEntries(
    Object.entries(services[service]!.environment).map(([name, text]) => [
      name,
      text
        .replace(/\$\{(\w+):-([^}]*)\}/g, (_, variable: string, fallback: string) => variables[variable] ?? fallback)
        .replace('@postgres:5432', `@${new URL(server).host}`),
    ]),
  );
}

/** Runs what the Job of a release and Compose's `migrate` run. */
function migrateAll(environment: Environment): Promise<{ status: number; output: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['deploy/migrate-all.mjs'],
      { cwd: root, env: { PATH: process.env['PATH'], ...environment } },
      (error, ...output) => resolve({ status: error ? Number(error.code ?? 1) : 0, output: output.join('') }),
    );
  });
}

async function query<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** SQLSTATE of the refusal; undefined when it succeeds. */
const refusal = (url: string, statement = 'select 1'): Promise<unknown> =>
  query(url, statement).then(
    () => undefined,
    (error: { code?: unknown }) => error.code,
  );

const variableOf = (service: string) => `${service.replaceAll('-', '_').toUpperCase()}_DATABASE_URL`;

describe('an empty PostgreSQL of the newest version', () => {
  let server: OwnPostgres;
  /** Of the Job; filled in with a password that is not the default. */
  let job: Environment;

  beforeAll(async () => {
    server = await ownPostgres({ isNewest: true });
    job = composeEnvironment('migrate', { DATABASE_PASSWORD: 'not-the-default_1' }, server.url);
  });
  afterAll(() => server?.dispose());

  const migrationsOf = (service: string) => query<{ name: string }>(job[variableOf(service)]!, 'select name from migrations order by id');

  it('is brought to the release by the Job, for which a service waits: alive, not ready, with one line in its log', async () => {
    const [port, broker] = [await freePort(), await testBroker()];
    const redis = testRedis();
    const key = randomBytes(32).toString('base64');
    const url = `http://127.0.0.1:${port}`;
    const readiness = async () => (await fetch(`${url}/health/ready`)).status;
    const service = await ServiceProcess.start(
      'prize-wheel',
      {
        PORT: String(port),
        LOG_LEVEL: 'info',
        DATABASE_URL: composeEnvironment('prize-wheel', { DATABASE_PASSWORD: 'not-the-default_1' }, server.url)['DATABASE_URL']!,
        RABBITMQ_URL: broker.url,
        REDIS_URL: infrastructure().redis.url,
        REDIS_PREFIX: redis.prefix,
        INTERNAL_SIGNING_KEY: key,
        SEED_KEY_RING: `k1:${key}`,
        WHEEL_HMAC_KEY: key,
        SITE_URL: 'https://decola.example',
      },
      async () => expect((await fetch(`${url}/health/live`)).status).toBe(200),
    );
    const warnings = () => service.log.split('\n').filter((line) => line.includes('not ready: '));
    try {
      expect(await readiness()).toBe(503);
      expect(await migrateAll(job)).toMatchObject({ status: 0 });
      await eventually(async () => expect(await readiness()).toBe(200), { timeoutMs: 60_000 });
      expect(warnings()).toHaveLength(1);
      expect(warnings()[0]).toContain('the database cannot be used');
      expect(service.log).not.toContain('not-the-default_1');
    } finally {
      await service.stop();
      await Promise.all([broker.dispose(), redis.dispose()]);
    }
  });

  it('is left as it is by the Job’s second run, but for new passwords, and lets each service into its own schema only', async () => {
    const before = await Promise.all(servicesWithDatabase.map((service) => migrationsOf(service)));
    for (const rows of before) expect(rows).not.toHaveLength(0);
    const old = job;
    job = { ...old };
    for (const service of servicesWithDatabase) {
      const url = new URL(old[variableOf(service)]!);
      url.password = encodeURIComponent(`'of ${service}"/@`);
      job[variableOf(service)] = url.href;
    }
    const { status, output } = await migrateAll(job);
    expect(status).toBe(0);
    expect(output.match(/nothing to migrate/g)).toHaveLength(servicesWithDatabase.length);
    expect(await Promise.all(servicesWithDatabase.map((service) => migrationsOf(service)))).toEqual(before);
    for (const service of servicesWithDatabase) {
      const own = job[variableOf(service)]!;
      expect([service, await refusal(own)]).toEqual([service, undefined]);
      expect([service, await refusal(old[variableOf(service)]!)]).toEqual([service, '28P01']);
      for (const other of servicesWithDatabase.filter((each) => each !== service)) {
        const withPasswordOfOther = new URL(own);
        withPasswordOfOther.password = new URL(job[variableOf(other)]!).password;
        expect([service, other, await refusal(withPasswordOfOther.href)]).toEqual([service, other, '28P01']);
        expect([service, other, await refusal(own, `select 1 from ${roleOf(other)}.migrations`)]).toEqual([service, other, '42501']);
      }
      expect([service, await refusal(own, 'create table public.mine ()')]).toEqual([service, '42501']);
    }
  });

  it('is refused by a Job that lacks a URL, or gives a service another one’s role', async () => {
    expect(await migrateAll({ ...job, BLOG_DATABASE_URL: '' })).toEqual({ status: 1, output: 'BLOG_DATABASE_URL is missing\n' });
    expect(await migrateAll({ ...job, BLOG_DATABASE_URL: job['BILLING_DATABASE_URL']! })).toEqual({
      status: 1,
      output: 'BLOG_DATABASE_URL must name the role decola_blog\n',
    });
  });
});

it('a second clone that uses the same server does not lock the first one out', async () => {
  const infrastructure = knownInfrastructure();
  const directory = mkdtempSync(path.join(os.tmpdir(), 'decola-clones-'));
  const marks = [randomBytes(4).toString('hex'), randomBytes(4).toString('hex')];
  try {
    const systems: System[] = [];
    for (const mark of marks)
      systems.push(
        await System.create({
          infrastructure,
          secrets: {},
          database: `clone_${mark}`,
          vhost: `clone-${mark}`,
          redisPrefix: `clone:${mark}:`,
          dataDirectory: path.join(directory, mark),
          logDirectory: path.join(directory, mark, 'logs'),
          usePreferredPorts: false,
        }),
      );
    for (const { databaseUrls } of systems)
      for (const url of Object.values(databaseUrls)) expect([url, await refusal(url)]).toEqual([url, undefined]);
  } finally {
    for (const mark of marks) {
      await dropDatabase({ adminUrl: infrastructure.postgres.url, database: `clone_${mark}` });
      await dropBroker({ managementUrl: infrastructure.rabbitmq.managementUrl, vhost: `clone-${mark}` });
    }
    rmSync(directory, { recursive: true, force: true });
  }
});
