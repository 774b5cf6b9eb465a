import { randomBytes } from 'node:crypto';
import { DatabaseModule } from '@decola/database';
import { baseConfig, createService, EnvelopeMismatchError, metrics } from '@decola/service-kit';
import { eventually, tcpProxy, testDatabase, type TestDatabase, testMailServer, type TestMailServer } from '@decola/testing';
import { type DynamicModule, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import {
  deleteQueuedMails,
  mailerConfig,
  mailerMigrations,
  MailerModule,
  type MailerOptions,
  MailQueue,
  type QueuedMail,
} from '../src/index.js';

interface Notice extends QueuedMail {
  text: string;
}

@Module({})
class NoticesModule {}

const configSchema = baseConfig.extend(mailerConfig);
const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const keyRing = newKey('k1');
const [ana, bia] = ['1b1ff4fb-51a4-4a6d-8e0c-64a3a5dc1a01', '2c2ff4fb-51a4-4a6d-8e0c-64a3a5dc1a02'];
const noticeTo = (to: string): Notice => ({ to, kind: 'notice', text: `Oi, ${to}.` });

describe('the delivery of queued mails', () => {
  let server: TestMailServer;
  let database: TestDatabase;
  let dataSource: DataSource;
  let queue: MailQueue<Notice>;
  const running: NestFastifyApplication[] = [];

  /** A service that sends the queued mails. */
  const start = async (
    environment: Record<string, string> = {},
    options: Partial<MailerOptions<Notice>> = {},
  ): Promise<NestFastifyApplication> => {
    const app = await createService({
      name: 'notices',
      configSchema,
      module: (config): DynamicModule => ({
        module: NoticesModule,
        imports: [
          DatabaseModule.forRoot({ url: database.url }),
          MailerModule.forRoot<Notice>({
            config,
            messageIdDomain: 'decola.test',
            compose: ({ text }) => ({ subject: 'Aviso', lead: text, button: null, code: null, footer: 'Fim.' }),
            lifetimeSeconds: () => 3_600,
            ...options,
          }),
        ],
      }),
      environment: {
        PORT: '0',
        LOG_LEVEL: 'silent',
        SMTP_URL: server.url,
        MAIL_FROM: 'Decola <nao-responda@decola.test>',
        MAIL_KEY_RING: keyRing,
        ...environment,
      },
    });
    running.push(app);
    return app;
  };
  const rows = () =>
    dataSource.query<{ tries: number; due_in: number; text: string }[]>(
      `select tries, extract(epoch from due_at - clock_timestamp())::float8 as due_in, m::text as text from mail_outbox m order by created_at`,
    );
  const attempts = async (outcome: string) =>
    (await metrics.getSingleMetric('mail_attempts_total')!.get()).values.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0;

  beforeAll(async () => {
    [server, database] = await Promise.all([testMailServer(), testDatabase({ migrations: mailerMigrations })]);
    dataSource = await new DataSource({ type: 'postgres', url: database.url }).initialize();
    queue = new MailQueue(keyRing);
  });
  beforeEach(async () => {
    server.mails.length = 0;
    await dataSource.query('delete from mail_outbox');
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((app) => app.close()));
  });
  afterAll(async () => {
    await dataSource?.destroy();
    await Promise.all([server?.stop(), database?.dispose()]);
  });

  it('sends every mail once, however many replicas share the work, and leaves nothing behind', async () => {
    const addresses = Array.from({ length: 12 }, (_, index) => `pessoa${index}@example.com`);
    for (const address of addresses) await queue.add(dataSource, null, noticeTo(address));
    await Promise.all([start(), start()]);
    await eventually(async () => expect(await rows()).toEqual([]));
    expect(server.mails.map(({ to }) => to).sort()).toEqual([...addresses].sort());
    expect(server.mails[0]).toMatchObject({ subject: 'Aviso', text: expect.stringContaining('Oi, pessoa') as unknown });
    expect(server.mails[0]!.messageId).toMatch(/^<[0-9a-f-]{36}@decola\.test>$/);
  });

  it('drops a mail at once when its address does not exist, and tries again after every other refusal', async () => {
    const refusals: Record<string, string> = {
      'ninguem@example.com': '550 5.1.1 no such user',
      'dominio@example.com': '550 5.1.2 no such domain',
      'cheia@example.com': '452 4.2.2 mailbox full',
      'proibido@example.com': '554 5.7.1 relay access denied',
    };
    const strict = await testMailServer((address) => refusals[address] ?? null);
    const before = await attempts('unknown_address');
    for (const address of [...Object.keys(refusals), 'ana@example.com']) await queue.add(dataSource, null, noticeTo(address));
    await start({ SMTP_URL: strict.url });
    try {
      await eventually(async () => expect((await rows()).map(({ tries }) => tries)).toEqual([1, 1]));
      expect(strict.mails.map(({ to }) => to)).toEqual(['ana@example.com']);
      expect(await attempts('unknown_address')).toBe(before + 2);
    } finally {
      await strict.stop();
    }
  });

  it('queues a mail only when the transaction commits', async () => {
    const failed = dataSource.transaction(async (manager) => {
      await queue.add(manager, ana, noticeTo('ana@example.com'));
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    expect(await rows()).toEqual([]);
  });

  it('stores mails encrypted, and each only readable in its own row', async () => {
    await queue.add(dataSource, ana, noticeTo('ana@example.com'));
    const [row] = await dataSource.query<{ id: string; sealed: string }[]>('select id, sealed from mail_outbox');
    expect((await rows())[0]!.text).not.toMatch(/example\.com|Oi,/);
    expect(queue.open(row!)).toEqual(noticeTo('ana@example.com'));
    expect(() => queue.open({ ...row!, id: bia })).toThrow(EnvelopeMismatchError);
    expect(new MailQueue<Notice>(`${newKey('k2')},${keyRing}`).open(row!)).toEqual(noticeTo('ana@example.com'));
  });

  it('retries later and later while the mail server is away, stays ready, and sends the mail once when the server is back', async () => {
    const proxy = await tcpProxy(server.url);
    await proxy.cut();
    try {
      const failedBefore = await attempts('failed');
      await queue.add(dataSource, null, noticeTo('ana@example.com'));
      const app = await start({ SMTP_URL: proxy.url });
      await eventually(async () => expect((await rows())[0]!.tries).toBe(1));
      expect((await rows())[0]!.due_in).toBeGreaterThan(0);
      expect((await rows())[0]!.due_in).toBeLessThanOrEqual(5);
      expect(await attempts('failed')).toBeGreaterThan(failedBefore);
      await dataSource.query('update mail_outbox set tries = 20, due_at = clock_timestamp()');
      await eventually(async () => expect((await rows())[0]!.tries).toBe(21));
      expect((await rows())[0]!.due_in).toBeGreaterThan(500);
      expect((await rows())[0]!.due_in).toBeLessThanOrEqual(600);
      expect((await fetch(`${await app.getUrl()}/health/ready`)).status).toBe(200);
      await proxy.restore();
      await dataSource.query('update mail_outbox set due_at = clock_timestamp()');
      await eventually(async () => expect(await rows()).toEqual([]));
      expect(server.mails.map(({ to }) => to)).toEqual(['ana@example.com']);
    } finally {
      await proxy.dispose();
    }
  });

  it('drops a mail unsent that is too old, and one that is damaged', async () => {
    await queue.add(dataSource, null, noticeTo('velha@example.com'));
    await dataSource.query(`update mail_outbox set created_at = created_at - interval '61 minutes'`);
    await queue.add(dataSource, null, noticeTo('estragada@example.com'));
    await dataSource.query(`update mail_outbox set sealed = 'v1.k1' where created_at = (select max(created_at) from mail_outbox)`);
    await queue.add(dataSource, null, noticeTo('nova@example.com'));
    const expiredBefore = await attempts('expired');
    await start();
    await eventually(async () => expect(await rows()).toEqual([]));
    expect(server.mails.map(({ to }) => to)).toEqual(['nova@example.com']);
    expect(await attempts('expired')).toBe(expiredBefore + 2);
  });

  it('keeps a mail whose key is not in the ring without counting a try, and sends it once when a replica has the key', async () => {
    const fresh = newKey('k9');
    await new MailQueue<Notice>(fresh).add(dataSource, null, noticeTo('ana@example.com'));
    const unopened = async () =>
      (await metrics.getSingleMetric('sealed_data_unopened_total')!.get()).values.find(
        ({ labels }) => labels['ring'] === 'MAIL_KEY_RING' && labels['reason'] === 'unknown_key',
      )!.value;
    const before = await unopened();
    await start();
    await eventually(async () => expect((await rows())[0]!.due_in).toBeGreaterThan(0));
    expect((await rows())[0]!.tries).toBe(0);
    expect(await unopened()).toBeGreaterThan(before);
    await start({ MAIL_KEY_RING: `active=k1;${fresh},${keyRing}` });
    await eventually(async () => {
      await dataSource.query('update mail_outbox set due_at = clock_timestamp()');
      expect(await rows()).toEqual([]);
    });
    expect(server.mails.map(({ to }) => to)).toEqual(['ana@example.com']);
  });

  it('asks just before it sends whether a mail is still wanted, and drops it unsent otherwise', async () => {
    await queue.add(dataSource, ana, noticeTo('ana@example.com'));
    await queue.add(dataSource, bia, noticeTo('bia@example.com'));
    const before = await attempts('unwanted');
    await start({}, { isWanted: async (manager, { to }) => (await manager.query('select 1')) && to !== 'ana@example.com' });
    await eventually(async () => expect(await rows()).toEqual([]));
    expect(server.mails.map(({ to }) => to)).toEqual(['bia@example.com']);
    expect(await attempts('unwanted')).toBe(before + 1);
  });

  it('sends the headers by which mail readers stop these mails', async () => {
    // Longer than a line of a mail: it must arrive in one piece.
    const oneClick = `https://decola.test/functions/v1/unsubscribe?token=${'a'.repeat(200)}`;
    await queue.add(dataSource, null, noticeTo('ana@example.com'));
    const unsubscribe = { label: 'Parar', page: 'https://decola.test/avisos', oneClick };
    await start({}, { compose: ({ text }) => ({ subject: 'Aviso', lead: text, button: null, code: null, footer: 'Fim.', unsubscribe }) });
    await eventually(() => expect(server.mails).toHaveLength(1));
    expect(server.mails[0]!.headers).toMatchObject({
      'list-unsubscribe': `<${oneClick}>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    });
  });

  it('deletes the queued mails of erased people, and no others', async () => {
    await queue.add(dataSource, ana, noticeTo('ana@example.com'));
    await queue.add(dataSource, bia, noticeTo('bia@example.com'));
    await queue.add(dataSource, null, noticeTo('despedida@example.com'));
    await deleteQueuedMails(dataSource, [ana]);
    await start();
    await eventually(async () => expect(await rows()).toEqual([]));
    expect(server.mails.map(({ to }) => to).sort()).toEqual(['bia@example.com', 'despedida@example.com']);
  });

  it('does not start with a malformed key ring', async () => {
    await expect(start({ MAIL_KEY_RING: 'k1:short' })).rejects.toThrow('MAIL_KEY_RING');
  });
});
