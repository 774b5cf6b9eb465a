import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { connectMessaging } from '@decola/messaging';
import { createService, type Caller, callerHeader, signCaller } from '@decola/service-kit';
import { eventually, testBroker, type TestBroker, testDatabase, type TestDatabase, testRedis, testSigningKey } from '@decola/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { DataSource } from 'typeorm';
import { AppModule } from '../src/app.module.js';
import { configSchema } from '../src/config.js';
import { migrations } from '../src/migrations/index.js';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface IdentityUnderTest {
  app: NestFastifyApplication;
  url: string;
  database: TestDatabase;
  broker: TestBroker;
  mails: Mail[];
  /** What the service was started with, for another one beside it. */
  environment: Record<string, string>;
  smtpUrl: string;
  client(caller?: Caller): SupabaseClient;
  stop(): Promise<void>;
}

export const strongPassword = 'Segredo!123';

/** The whole service on a real database and broker, with a mail server that keeps what it gets. */
export async function startIdentity(environment: Record<string, string> = {}): Promise<IdentityUnderTest> {
  const mails: Mail[] = [];
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(chunks)).then(({ subject = '', text = '', html = '' }) => {
          mails.push({ to: session.envelope.rcptTo[0]?.address ?? '', subject, text, html });
          done();
        });
      });
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  const smtpPort = (smtp.server.address() as AddressInfo).port;
  const [database, broker] = await Promise.all([testDatabase({ migrations }), testBroker()]);
  const redis = testRedis();
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const everything: Record<string, string> = {
    PORT: '0',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    DATABASE_URL: database.url,
    RABBITMQ_URL: broker.url,
    INTERNAL_SIGNING_KEY: testSigningKey,
    SITE_URL: 'http://decola.test',
    TOKEN_ISSUER: 'http://decola.test/auth/v1',
    TOKEN_KEYS: JSON.stringify([{ ...privateKey.export({ format: 'jwk' }), kid: 'k1' }]),
    FACTOR_KEY_RING: `k1:${testSigningKey}`,
    MAIL_KEY_RING: `k1:${testSigningKey}`,
    REDIS_URL: redis.url,
    REDIS_PREFIX: redis.prefix,
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    MAIL_FROM: 'Decola <nao-responda@decola.test>',
    ...environment,
  };
  const app = await createService({
    name: 'identity',
    configSchema,
    module: (config) => AppModule.forRoot(config),
    configure: (each) => connectMessaging(each),
    environment: everything,
  });
  const url = await app.getUrl();
  return {
    app,
    url,
    database,
    broker,
    mails,
    environment: everything,
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    client: (caller) =>
      createClient(url, 'public-key', {
        auth: { persistSession: false, autoRefreshToken: false },
        ...(caller ? { global: { headers: { [callerHeader]: signCaller(caller, testSigningKey) } } } : {}),
      }),
    stop: async () => {
      await app.close();
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
      await Promise.all([database.dispose(), broker.dispose(), redis.dispose()]);
    },
  };
}

/** A new person, through the published client. */
export async function signUp(identity: Pick<IdentityUnderTest, 'client'>, email = freshEmail()) {
  const client = identity.client();
  const { data, error } = await client.auth.signUp({ email, password: strongPassword, options: { data: { full_name: 'Ana Souza' } } });
  expect(error).toBeNull();
  return { client, email, user: data.user!, session: data.session! };
}

export const refresh = (identity: Pick<IdentityUnderTest, 'url'>, token: string) =>
  call(identity, 'POST', 'token?grant_type=refresh_token', { body: { refresh_token: token } });

/** The newest mail to an address, as soon as it is there; `after` skips the ones before. */
export async function mailTo(identity: Pick<IdentityUnderTest, 'mails'>, address: string, after = 0): Promise<Mail> {
  const mine = () => identity.mails.filter(({ to }) => to === address).slice(after);
  await eventually(() => expect(mine()).not.toHaveLength(0));
  return mine().at(-1)!;
}

/**
 * Resolves when so many statements of the service wait for rows that a transaction of the test holds.
 * @param database not that transaction itself, which would see one picture of the others until it ends.
 */
export const waitForRow = (database: DataSource, count = 1) =>
  eventually(async () =>
    expect(
      await database.query<unknown[]>(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
    ).toHaveLength(count),
  );

/** The six digits of a mail. */
export const codeOf = ({ text }: Mail) => /Código: (\d{6})/.exec(text)![1]!;

/** Where a mail's button leads, at the service under test. */
export const linkOf = (identity: Pick<IdentityUnderTest, 'url'>, { text }: Mail) =>
  `${identity.url}/auth/v1/verify${new URL(/https?:\/\/\S+verify\?\S+/.exec(text)![0]).search}`;

export const freshEmail = () => `${randomUUID().slice(0, 8)}@example.com`;

/** A call of auth/v1 as the published client writes it, from an address of one's choice. */
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
      ...(ip ? { 'x-decola-client-ip': ip } : {}),
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
