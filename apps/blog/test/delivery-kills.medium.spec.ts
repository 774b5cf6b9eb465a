import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type ArticleImage, pictureAddress, shareFile, siteKeyOf } from '@decola/contracts';
import {
  eventually,
  freePort,
  ServiceProcess,
  tcpProxy,
  type TcpProxy,
  testBroker,
  type TestBroker,
  testDatabase,
  type TestDatabase,
  testSigningKey,
} from '@decola/testing';
import { DataSource } from 'typeorm';
import { openDelivery } from '../src/deliveries/open-delivery.js';
import { PictureStore } from '../src/images/picture-store.service.js';
import { migrations } from '../src/migrations/index.js';
import { AskingSite, type Result } from './support/asking-site.js';
import { type Answer, SiteReceiver } from './support/site-receiver.js';

const token = 'k7Qm3vX9bT2nL5wR8yC1zH4jF6gD0sAaEeIiOoUu-_x';

const pictureHash = 'c0ffee'.padEnd(32, '0');
const image: ArticleImage = { src: pictureAddress(pictureHash, 1200), width: 1200, height: 630, alt: 'Pão', origin: 'drawn' };
const steps = ['article.prepare', 'article.media', 'article.publish'];

/** The service in a process of its own, interrupted while it waits for a site's answer. */
describe('a delivery', () => {
  let database: TestDatabase;
  let broker: TestBroker;
  let dataSource: DataSource;
  let site: SiteReceiver;
  let sender: ServiceProcess;
  let url: string;
  let databaseProxy: TcpProxy;
  let brokerProxy: TcpProxy;
  const images = mkdtempSync(path.join(os.tmpdir(), 'decola-images-'));

  const start = async (): Promise<void> => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    sender = await ServiceProcess.start('blog', {
      ...{ PORT: String(port), LOG_LEVEL: 'warn', DATABASE_URL: databaseProxy.url, RABBITMQ_URL: brokerProxy.url },
      ...{ INTERNAL_SIGNING_KEY: testSigningKey, WEBHOOK_TOKEN_KEY_RING: `k1:${testSigningKey}`, IMAGES_DIR: images },
      ...{ SITE_URL: 'https://decola.example', SMTP_URL: 'smtp://127.0.0.1:9', MAIL_KEY_RING: `k1:${testSigningKey}` },
      ...{ MAIL_FROM: 'Decola <nao-responda@decola.example>', OUTGOING_HTTP_HOSTS: site.host },
      ...{ DELIVERY_INTERVAL_MS: '20', DELIVERY_LEASE_SECONDS: '2' },
    });
  };

  beforeAll(async () => {
    [database, broker, site] = await Promise.all([testDatabase({ migrations }), testBroker(), SiteReceiver.start()]);
    [databaseProxy, brokerProxy] = await Promise.all([tcpProxy(database.url), tcpProxy(broker.url)]);
    await new PictureStore({ IMAGES_DIR: images }).save([{ name: shareFile(pictureHash), bytes: Buffer.from('the bytes of a picture') }]);
    dataSource = await new DataSource({ type: 'postgres', url: database.url }).initialize();
    site.token = token;
    await start();
  });
  afterAll(async () => {
    await sender.kill();
    await dataSource?.destroy();
    await Promise.all([databaseProxy?.dispose(), brokerProxy?.dispose()]);
    await Promise.all([database?.dispose(), broker?.dispose(), site?.stop()]);
  });

  const order = async (): Promise<{ deliveryId: string }> => {
    const [articleId, userId, automationId, siteKey] = [randomUUID(), randomUUID(), randomUUID(), siteKeyOf(site.origin)!];
    // Stored plain, as a version before did: the service reads and seals it.
    await dataSource.query(`insert into user_tokens (user_id, token, token_type) values ($1, $2, 'webhook')`, [userId, token]);
    await dataSource.query(
      `insert into customer_articles (id, user_id, blog_automation_id, run_id, site_key, title, slug, content_html, excerpt, image, state)
       values ($1, $2, $3, $4, $5, 'Pão de casa', 'pao', '<p>Pão</p>', '', $6, 'approved')`,
      [articleId, userId, automationId, randomUUID(), siteKey, JSON.stringify(image)],
    );
    const deliveryId = await dataSource.transaction((manager) =>
      openDelivery(manager, {
        articleId,
        userId,
        blogAutomationId: automationId,
        siteKey,
        webhookUrl: site.origin,
        at: new Date(),
        perDay: 2,
      }),
    );
    return { deliveryId };
  };

  /** Waits until the site has the first message of a step, which gets no answer before `release`. */
  const heldAt = async (step: string, answer: Answer) => {
    site.reset();
    site.token = token;
    const gate = Promise.withResolvers<void>();
    site.fault = ({ type }) => (type === step && site.messages(step).length === 1 ? { ...answer, after: gate.promise } : undefined);
    const { deliveryId } = await order();
    await eventually(() => expect(site.messages(step)).toHaveLength(1), { timeoutMs: 60_000 });
    return { deliveryId, release: gate.resolve };
  };
  const expectOnePost = async (deliveryId: string) => {
    await eventually(
      async () => expect(await dataSource.query('select state from deliveries where id = $1', [deliveryId])).toEqual([{ state: 'seen' }]),
      { timeoutMs: 120_000 },
    );
    expect(site.posts).toHaveLength(1);
    // Each step has one id, however often it is sent: the site recognises the repeat.
    for (const step of steps) expect(new Set(site.messages(step).map(({ messageId }) => messageId)).size).toBe(1);
  };

  it.each(steps.flatMap((step) => [['before', step] as const, ['after', step] as const]))(
    'whose sender is killed %s the site’s work on %s ends with one post',
    async (when, step) => {
      const { deliveryId, release } = await heldAt(step, when === 'after' ? { lost: true } : { status: 500 });
      await sender.kill();
      release();
      await start();
      await expectOnePost(deliveryId);
    },
  );

  it('that a plugin fetches ends with one post when the service is killed between a hand-out and its report', async () => {
    site.reset();
    site.token = token;
    // Nobody gets in.
    site.fault = ({ headers }) =>
      headers['user-agent'] === 'Decola-Webhook/1' ? { status: 403, body: '<html>Blocked</html>' } : undefined;
    const { deliveryId } = await order();
    await eventually(
      async () => expect(await dataSource.query('select code from deliveries where id = $1', [deliveryId])).toEqual([{ code: 'waf' }]),
      { timeoutMs: 60_000 },
    );
    const done: string[] = [];
    let results: Result[] = [];
    await eventually(
      async () => {
        // A replica that was killed while it looked at something else holds the site until its lease ends.
        const { answer } = await new AskingSite(url, site, token).ask({ results });
        expect(answer.accepted).toEqual(results.map(({ id }) => id));
        results = [];
        for (const operation of answer.operations) {
          const { type } = JSON.parse(operation.body) as { type: string };
          const isKilled = !done.includes(type) && type !== 'article.media';
          if (isKilled) await sender.kill();
          results.push(await new AskingSite(url, site, token).carryOut(operation));
          done.push(type);
          if (isKilled) await start();
        }
        expect(await dataSource.query('select state from deliveries where id = $1', [deliveryId])).toEqual([{ state: 'published' }]);
      },
      { timeoutMs: 120_000 },
    );
    // What is reported after the lease has ended is handed out again.
    expect([...new Set(done.filter((type) => type.startsWith('article.')))]).toEqual(steps);
    expect(site.posts).toHaveLength(1);
    for (const step of steps)
      expect(
        await dataSource.query('select 1 from delivery_attempts where delivery_id = $1 and operation = $2', [deliveryId, step]),
      ).toHaveLength(1);
  });

  it.each(steps)('whose database and broker are away when the site answers %s ends with one post', async (step) => {
    const { deliveryId, release } = await heldAt(step, { isHeld: true });
    await Promise.all([databaseProxy.cut(), brokerProxy.cut()]);
    release();
    await eventually(() => expect(site.messages(step)[0]!.isAnswered).toBe(true), { timeoutMs: 60_000 });
    await Promise.all([databaseProxy.restore(), brokerProxy.restore()]);
    await expectOnePost(deliveryId);
  });
});
