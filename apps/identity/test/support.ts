import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { connectMessaging } from '@decola/messaging';
import {
  type Caller,
  callerHeader,
  clientAddressHeaders,
  createService,
  redisClient,
  type ServiceOptions,
  signCaller,
} from '@decola/service-kit';
import {
  eventually,
  type ReceivedMail,
  testBroker,
  type TestBroker,
  testDatabase,
  type TestDatabase,
  testMailServer,
  type TestPooler,
  type TestRedis,
  testRedis,
  testSigningKey,
} from '@decola/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { DataSource } from 'typeorm';
import { AppModule } from '../src/app.module.js';
import { configSchema } from '../src/config/config.js';
import { migrations } from '../src/migrations/index.js';

export interface IdentityUnderTest {
  app: NestFastifyApplication;
  url: string;
  database: TestDatabase;
  broker: TestBroker;
  mails: ReceivedMail[];
  /** Environment of the service, to start another replica. */
  environment: Record<string, string>;
  smtpUrl: string;
  client(caller?: Caller): SupabaseClient;
  stop(): Promise<void>;
}

export const strongPassword = 'Segredo!123';

export type StartIdentity = (environment?: Record<string, string>) => Promise<IdentityUnderTest>;

export const service: Omit<ServiceOptions<typeof configSchema>, 'environment'> = {
  name: 'identity',
  configSchema,
  module: (config) => AppModule.forRoot(config),
  configure: (app) => connectMessaging(app),
};

/** Environment of the service that its tests need beside the database and the broker. */
export function ownEnvironment({ redis, smtpUrl }: { redis: TestRedis; smtpUrl: string }): Record<string, string> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    SITE_URL: 'http://decola.test',
    TOKEN_ISSUER: 'http://decola.test/auth/v1',
    TOKEN_KEYS: JSON.stringify([{ ...privateKey.export({ format: 'jwk' }), kid: 'k1' }]),
    FACTOR_KEY_RING: `k1:${testSigningKey}`,
    MAIL_KEY_RING: `k1:${testSigningKey}`,
    REDIS_URL: redis.url,
    REDIS_PREFIX: redis.prefix,
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'Decola <nao-responda@decola.test>',
    // The cheapest hash: tests are not about its cost.
    PASSWORD_MEMORY_KIB: '64',
    PASSWORD_PASSES: '1',
  };
}

/**
 * The whole service on a real database and broker, with a mail server whose mails the test can read.
 * @param place.server URL of a superuser of the database server. Default: the server of all tests.
 * @param place.pooler stands before the server; what needs a session of its own goes past it
 */
export async function startIdentity(
  environment: Record<string, string> = {},
  { server, pooler }: { server?: string; pooler?: TestPooler } = {},
): Promise<IdentityUnderTest> {
  const mailServer = await testMailServer();
  const [database, broker] = await Promise.all([testDatabase({ migrations, ...(server ? { server } : {}) }), testBroker()]);
  const redis = testRedis();
  const everything: Record<string, string> = {
    PORT: '0',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    DATABASE_URL: pooler ? pooler.urlOf(database.url) : database.url,
    DATABASE_DIRECT_URL: database.url,
    RABBITMQ_URL: broker.url,
    INTERNAL_SIGNING_KEY: testSigningKey,
    ...ownEnvironment({ redis, smtpUrl: mailServer.url }),
    ...environment,
  };
  const app = await createService({ ...service, environment: everything });
  const url = await app.getUrl();
  return {
    app,
    url,
    database,
    broker,
    mails: mailServer.mails,
    environment: everything,
    smtpUrl: mailServer.url,
    client: (caller) =>
      createClient(url, 'public-key', {
        auth: { persistSession: false, autoRefreshToken: false },
        ...(caller ? { global: { headers: { [callerHeader]: signCaller(caller, testSigningKey) } } } : {}),
      }),
    stop: async () => {
      await app.close();
      await Promise.all([mailServer.stop(), database.dispose(), broker.dispose(), redis.dispose()]);
    },
  };
}

/** Signs up a new person through the published client. */
export async function signUp(identity: Pick<IdentityUnderTest, 'client'>, email = freshEmail()) {
  const client = identity.client();
  const { data, error } = await client.auth.signUp({ email, password: strongPassword, options: { data: { full_name: 'Ana Souza' } } });
  expect(error).toBeNull();
  return { client, email, user: data.user!, session: data.session! };
}

export const refresh = (identity: Pick<IdentityUnderTest, 'url'>, token: string) =>
  call(identity, 'POST', 'token?grant_type=refresh_token', { body: { refresh_token: token } });

/** Marks the mailbox as proven, as if the person had answered a mail (mailbox-proof.medium.spec.ts tests the real way). */
export async function markMailboxProven(identity: Pick<IdentityUnderTest, 'app'>, email: string): Promise<void> {
  await identity.app.get(DataSource).query('update users set mailbox_proven_at = now() where email = $1', [email]);
}

/** Waits for a mail to an address and returns the newest. @param after how many earlier mails to that address to ignore */
export async function mailTo(identity: Pick<IdentityUnderTest, 'mails'>, address: string, after = 0): Promise<ReceivedMail> {
  const mine = () => identity.mails.filter(({ to }) => to === address).slice(after);
  await eventually(() => expect(mine()).not.toHaveLength(0));
  return mine().at(-1)!;
}

/**
 * Resolves when `count` statements wait for locks that a transaction of the test holds.
 * @param database a connection outside that transaction, inside which `pg_stat_activity` would not change
 */
export const waitForRow = (database: DataSource, count = 1) =>
  eventually(async () =>
    expect(
      await database.query<unknown[]>(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
    ).toHaveLength(count),
  );

/** The six digits of a mail. */
export const codeOf = ({ text }: ReceivedMail) => /Código: (\d{6})/.exec(text)![1]!;

/** The URL of a mail's button, at the service under test. */
export const linkOf = (identity: Pick<IdentityUnderTest, 'url'>, { text }: ReceivedMail) =>
  `${identity.url}/auth/v1/verify${new URL(/https?:\/\/\S+verify\?\S+/.exec(text)![0]).search}`;

/** Ends all waits after wrong attempts, as if their time had passed. The attempts stay counted. */
export async function endWaits({ environment }: Pick<IdentityUnderTest, 'environment'>): Promise<void> {
  const redis = await redisClient({ url: environment['REDIS_URL']! }).connect();
  try {
    for await (const keys of redis.scanIterator({ MATCH: `${environment['REDIS_PREFIX']}identity:turns:*` }))
      if (keys.length > 0) await redis.del(keys);
  } finally {
    redis.destroy();
  }
}

export const freshEmail = () => `${randomUUID().slice(0, 8)}@example.com`;

/** Calls auth/v1 as the published client does. @param ip client address, signed as by the gateway */
export async function call(
  identity: Pick<IdentityUnderTest, 'url'>,
  method: string,
  path: string,
  { body, token, ip }: { body?: unknown; token?: string; ip?: string } = {},
): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }> {
  const answer = await fetch(`${identity.url}/auth/v1/${path}`, {
    method,
    redirect: 'manual',
    headers: {
      'content-type': 'application/json;charset=UTF-8',
      'x-supabase-api-version': '2024-01-01',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(ip ? clientAddressHeaders(ip, testSigningKey) : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}
