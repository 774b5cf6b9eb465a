import { randomUUID } from 'node:crypto';
import { maxPickupBytes, siteKeyOf } from '@decola/contracts';
import { connectMessaging } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { authenticated, eventually, type ServiceUnderTest, serviceUnderTest } from '@decola/testing';
import { AppModule } from '../src/app.module.js';
import { configSchema } from '../src/config/config.js';
import { openDelivery } from '../src/deliveries/open-delivery.js';
import { Pictures } from '../src/images/pictures.service.js';
import { migrations } from '../src/migrations/index.js';
import { AskingSite } from './support/asking-site.js';
import { type Answer, type Fault, SiteReceiver } from './support/site-receiver.js';

interface Row {
  state: string;
  code: string | null;
  reason: string | null;
  attempt: number;
  next_attempt_at: Date | null;
}

const page = (status: number): Answer => ({ status, headers: { 'content-type': 'text/html' }, body: '<html><body>Blocked</body></html>' });
const isOurCall = (headers: Record<string, unknown>) => headers['user-agent'] === 'Decola-Webhook/1';
/** A firewall that lets no message of ours in, and everybody read. */
const closed: Fault = ({ method, headers }) => (method === 'POST' && isOurCall(headers) ? page(403) : undefined);
const tokens = { ana: 'ana-m3vX9bT2nL5wR8yC1zH4jF6gD0sAaEeIiOoUu-_x', bia: 'bia-m3vX9bT2nL5wR8yC1zH4jF6gD0sAaEeIiOoUu-_x' };

describe('articles that a site asks for', () => {
  let service: ServiceUnderTest;
  let site: SiteReceiver;
  let other: SiteReceiver;
  let offsetMs = 0;
  const query = <Found>(statement: string, parameters: unknown[] = []) => service.dataSource.query<Found[]>(statement, parameters);
  const now = () => new Date(Date.now() + offsetMs);

  beforeAll(async () => {
    [site, other] = await Promise.all([SiteReceiver.start(), SiteReceiver.start()]);
    service = await serviceUnderTest(
      { name: 'blog', configSchema, module: (config) => AppModule.forRoot(config), configure: connectMessaging, rawBody: true },
      {
        migrations,
        environment: {
          ...{ OUTGOING_HTTP_HOSTS: `${site.host},${other.host}`, DELIVERY_INTERVAL_MS: '20', DELIVERY_LEASE_SECONDS: '20' },
          ...{ ARTICLES_PER_SITE_PER_DAY: '50', DELIVERY_LOOK_SECONDS: '0,0' },
        },
      },
    );
    service.app.get(Clock).now = now;
  });
  beforeEach(() => {
    site.reset();
    other.reset();
    site.token = other.token = tokens.ana;
    site.fault = closed;
  });
  afterEach(async () => {
    for (const table of ['deliveries', 'sites', 'delivery_attempts', 'webhook_tests', 'user_tokens', 'customer_articles'])
      await query(`delete from ${table}`);
    offsetMs = 0;
  });
  afterAll(async () => {
    await service?.dispose();
    await Promise.all([site?.stop(), other?.stop()]);
  });

  const saveToken = async (userId: string, token: string) => {
    const saved = await fetch(`${service.url}/rest/v1/user_tokens`, {
      method: 'POST',
      headers: { ...authenticated(userId), 'content-type': 'application/json' },
      body: JSON.stringify({ user_id: userId, token, token_type: 'webhook' }),
    });
    expect(saved.status).toBe(201);
  };
  const order = async ({
    userId,
    address = site.origin,
    image = null as object | null,
  }: {
    userId: string;
    address?: string;
    image?: object | null;
  }) => {
    const articleId = randomUUID();
    const siteKey = siteKeyOf(address)!;
    await query(
      `insert into customer_articles (id, user_id, blog_automation_id, run_id, site_key, title, slug, content_html, excerpt, image, publish_mode, state)
       values ($1, $2, $3, $4, $5, $6, 'pao', '<p>Pão</p>', '', $7, 'publish', 'approved')`,
      [articleId, userId, randomUUID(), randomUUID(), siteKey, `Pão ${articleId.slice(0, 8)}`, image && JSON.stringify(image)],
    );
    const deliveryId = await service.dataSource.transaction((manager) =>
      openDelivery(manager, { articleId, userId, blogAutomationId: null, siteKey, webhookUrl: address, at: now(), perDay: 50 }),
    );
    return { userId, articleId, deliveryId };
  };
  /** A customer whose site is closed, and whose plugin has asked once. */
  const customer = async (token = tokens.ana) => {
    const userId = randomUUID();
    await saveToken(userId, token);
    const asking = new AskingSite(service.url, site, token, now);
    return { userId, asking };
  };
  const deliveryOf = async ({ deliveryId }: { deliveryId: string }) =>
    (await query<Row>('select * from deliveries where id = $1', [deliveryId]))[0]!;
  const reaches = (ordered: { deliveryId: string }, state: string) =>
    eventually(async () => {
      const delivery = await deliveryOf(ordered);
      expect(delivery).toMatchObject({ state });
      return delivery;
    });
  const call = async (name: string, userId: string, body: unknown) => {
    const answer = await fetch(`${service.url}/functions/v1/${name}`, {
      method: 'POST',
      headers: { ...authenticated(userId), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as Record<string, unknown>;
  };
  const siteRow = async () =>
    (await query<{ pickup_code: string | null; kind: string; capabilities: { categories: string[] } }>('select * from sites'))[0]!;
  const calls = (receiver = site) => receiver.received.filter(({ method, headers }) => method === 'POST' && isOurCall(headers));
  /** An article that waits because the site is closed. */
  const waiting = async ({ userId, asking }: Awaited<ReturnType<typeof customer>>, image: object | null = null) => {
    const ordered = await order({ userId, image });
    await eventually(async () => {
      await asking.ask({ take: false });
      // The plugin is known from its first request on.
      await query(`update deliveries set next_attempt_at = now() where id = $1 and state = 'retrying'`, [ordered.deliveryId]);
      expect(await deliveryOf(ordered)).toMatchObject({ state: 'waiting_pickup' });
    });
    return ordered;
  };

  it('wait for the plugin where a firewall keeps calls out, and arrive with their picture', async () => {
    const owner = await customer();
    const { featured_image: src, image } = await service.app.get(Pictures).draw(randomUUID());
    const ordered = await waiting(owner, { ...image, src, alt: 'Um pão' });
    const delivery = await deliveryOf(ordered);
    expect(delivery).toMatchObject({
      code: 'waf',
      reason: expect.stringMatching(/^O site busca o artigo sozinho; próxima busca até \d\d:\d\d$/) as string,
    });
    expect(await siteRow()).toMatchObject({ pickup_code: 'waf', kind: 'plugin', capabilities: { categories: ['Receitas'], pickup: true } });
    expect((await owner.asking.fetchAll()).slice(0, 3)).toEqual(['article.prepare', 'article.media', 'article.publish']);
    await reaches(ordered, 'seen');
    expect(site.posts).toHaveLength(1);
    expect(await deliveryOf(ordered)).toMatchObject({ code: null, reason: null, next_attempt_at: null });

    // The site is not called for the next one at all.
    const before = calls().length;
    const next = await order({ userId: owner.userId });
    await reaches(next, 'waiting_pickup');
    await owner.asking.fetchAll();
    await reaches(next, 'seen');
    expect(calls()).toHaveLength(before);
    const attempts = await query<{ operation: string }>('select operation from delivery_attempts where delivery_id = $1 order by at', [
      next.deliveryId,
    ]);
    expect(attempts.map(({ operation }) => operation)).toEqual(['article.prepare', 'article.publish']);
  });

  it('are one post, by the same ids, whatever is lost on either way', async () => {
    const owner = await customer();
    const ordered = await waiting(owner);
    const types: string[] = [];
    let results: Awaited<ReturnType<AskingSite['carryOut']>>[] = [];
    for (;;) {
      // The first answer is lost, and so is the first report.
      const lost = await owner.asking.ask({ results });
      const { answer } = await owner.asking.ask({ results });
      expect(answer.accepted).toEqual(results.map(({ id }) => id));
      expect(answer.operations.map(({ id, body }) => [id, dataOf(body)])).toEqual(
        lost.answer.operations.map(({ id, body }) => [id, dataOf(body)]),
      );
      const [operation] = answer.operations;
      if (!operation || types.length > 5) break;
      types.push(typeOf(operation.body));
      await owner.asking.carryOut(operation);
      await owner.asking.ask();
      results = [await owner.asking.carryOut(operation)];
    }
    expect(types.slice(0, 2)).toEqual(['article.prepare', 'article.publish']);
    await reaches(ordered, 'seen');
    expect(site.posts).toHaveLength(1);
    for (const type of ['article.prepare', 'article.publish'])
      expect(new Set(site.messages(type).map(({ messageId }) => messageId)).size).toBe(1);
    // Each result counts once.
    expect(
      await query('select 1 from delivery_attempts where delivery_id = $1 and operation = $2', [ordered.deliveryId, 'article.prepare']),
    ).toHaveLength(1);
  });

  it('are refused alike to everybody who is not the site', async () => {
    const owner = await customer();
    await waiting(owner);
    const used = `msg_${randomUUID()}`;
    expect((await owner.asking.ask({ id: used, take: false })).status).toBe(200);
    const minutes = (count: number) => new Date(Date.now() + count * 60_000);
    const refused = [
      await owner.asking.ask({ id: used, take: false }),
      await owner.asking.ask({ token: tokens.bia }),
      await owner.asking.ask({ host: 'de-ninguem.example' }),
      await owner.asking.ask({ host: 'de-ninguem.example', token: '-'.repeat(43) }),
      await owner.asking.ask({ at: minutes(-6) }),
      await owner.asking.ask({ at: minutes(6) }),
      await owner.asking.ask({ id: 'a b' }),
      await owner.asking.ask({ more: { results: 'x' } }),
    ];
    const answers = refused.map(({ status, text }) => [status, text.replace(/"request_?[iI]d":"[^"]*"/, '')]);
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(answers[0]![0]).toBe(401);
    expect((await owner.asking.ask({ at: minutes(-4), take: false })).status).toBe(200);
  });

  it('are those of the customer who has the token, also where two have the same host', async () => {
    const [ana, bia] = [await customer(tokens.ana), await customer(tokens.bia)];
    const [ofAna, ofBia] = [await waiting(ana), await waiting(bia)];
    const [first] = (await ana.asking.ask()).answer.operations;
    expect(dataOf(first!.body)).toMatchObject({ article_id: ofAna.articleId });
    // A result of somebody else is none.
    const stolen = { id: first!.id, status: 200, response: { decola: 1, ok: true, post_id: 1, status: 'draft' } };
    const [own] = (await bia.asking.ask({ results: [stolen] })).answer.operations;
    expect(dataOf(own!.body)).toMatchObject({ article_id: ofBia.articleId });
    expect(await deliveryOf(ofAna)).toMatchObject({ state: 'preparing' });
    expect(await query('select 1 from delivery_attempts where operation = $1', ['article.prepare'])).toHaveLength(0);
  });

  it('are handed out while nobody calls the site, and the site is not called while it has one', async () => {
    const owner = await customer();
    await owner.asking.ask().catch(() => undefined);
    const gate = Promise.withResolvers<void>();
    site.fault = ({ type }) =>
      type === 'article.prepare' && site.messages(type).length === 1 ? { after: gate.promise, isHeld: true } : undefined;
    const pushed = await order({ userId: owner.userId });
    await eventually(() => expect(site.messages('article.prepare')).toHaveLength(1));
    const during = await owner.asking.ask({ results: [{ id: 'x', status: 200, response: {} }] });
    expect([during.answer.operations, during.answer.accepted]).toEqual([[], []]);
    gate.resolve();
    await reaches(pushed, 'seen');

    // The other way round: a delivery that is due at once does not reach the site before the plugin reports.
    site.fault = closed;
    await query(`update sites set pickup_code = 'waf'`);
    const first = await order({ userId: owner.userId });
    const { answer } = await owner.asking.ask();
    expect(answer.operations.map(({ body }) => dataOf(body)['article_id'])).toEqual([first.articleId]);
    await query('update sites set pickup_code = null');
    const second = await order({ userId: owner.userId });
    const before = calls().length;
    // Work at another site shows that due deliveries are being started.
    await reaches(await order({ userId: owner.userId, address: other.origin }), 'seen');
    expect([calls().length, (await deliveryOf(second)).state]).toEqual([before, 'pending']);
    const result = await owner.asking.carryOut(answer.operations[0]!);
    await owner.asking.ask({ results: [result], take: false });
    await eventually(() => expect(calls().length).toBeGreaterThan(before));
  });

  it('are sent by calls again after a test that gets in', async () => {
    const owner = await customer();
    const ordered = await waiting(owner);
    site.fault = () => undefined;
    expect(await call('test-webhook', owner.userId, { webhook_url: site.origin, token: tokens.ana })).toMatchObject({
      success: true,
      verified: true,
    });
    await reaches(ordered, 'seen');
    expect((await siteRow()).pickup_code).toBeNull();
    expect(site.messages('article.publish').every(({ headers }) => isOurCall(headers))).toBe(true);
  });

  it('are tried by a call when their owner asks for it, and wait again', async () => {
    const owner = await customer();
    const ordered = await waiting(owner);
    const before = calls().length;
    expect(await call('retry-delivery', owner.userId, { deliveryId: ordered.deliveryId })).toEqual({ success: true });
    await eventually(() => expect(calls().length).toBeGreaterThan(before));
    await reaches(ordered, 'waiting_pickup');
  });

  it('are told to be late, and are blocked when the plugin does not ask for a day', async () => {
    const owner = await customer();
    const ordered = await waiting(owner);
    offsetMs = 16 * 60_000;
    await eventually(async () =>
      expect((await deliveryOf(ordered)).reason).toBe('O site busca o artigo sozinho, na próxima visita ao painel do WordPress ou ao site'),
    );
    const before = calls().length;
    offsetMs = 25 * 3_600_000;
    await reaches(ordered, 'retrying');
    expect(calls().length).toBeGreaterThan(before);
    offsetMs = 27 * 3_600_000;
    expect(await reaches(ordered, 'blocked')).toMatchObject({ code: 'waf' });
    // The first request after that finds it all the same.
    await owner.asking.fetchAll();
    await reaches(ordered, 'seen');
  });

  it.each([
    ['retrying', 'site_down', { status: 503 }],
    ['blocked', 'plugin_missing', { status: 404, body: { code: 'rest_no_route' } }],
  ] as const)('are also found when they are %s because of %s', async (state, code, answer) => {
    const owner = await customer();
    site.fault = ({ method, headers }) => (method === 'POST' && isOurCall(headers) ? answer : undefined);
    const ordered = await order({ userId: owner.userId });
    await reaches(ordered, 'retrying');
    if (state === 'blocked') await query('update deliveries set next_attempt_at = now()');
    expect(await reaches(ordered, state)).toMatchObject({ code });
    expect(await owner.asking.fetchAll()).toEqual(['article.prepare', 'article.publish']);
    await reaches(ordered, 'seen');
    expect((await siteRow()).pickup_code).toBeNull();
  });

  it('are withdrawn, told to be edited, and asked about through the plugin', async () => {
    const owner = await customer();
    const ordered = await waiting(owner);
    await query('update sites set inventory_due_at = now()');
    const questions = await owner.asking.fetchAll();
    await reaches(ordered, 'seen');
    // What the site has published is asked once a week.
    expect(questions.at(-1)).toBe('site.inventory');
    expect(await query('select inventory from sites')).toMatchObject([{ inventory: [{ slug: 'ola-mundo' }] }]);
    expect(await call('withdraw-article', owner.userId, { articleId: ordered.articleId })).toEqual({ success: true });
    await reaches(ordered, 'waiting_pickup');
    expect(await owner.asking.fetchAll()).toEqual(['article.withdraw']);
    await reaches(ordered, 'withdrawn');
    expect(site.posts[0]!.status).toBe('draft');

    const second = await order({ userId: owner.userId });
    await reaches(second, 'waiting_pickup');
    await owner.asking.fetchAll();
    await reaches(second, 'seen');
    site.posts[1]!.isEdited = true;
    await query('update deliveries set status_at = now() where id = $1', [second.deliveryId]);
    expect(await owner.asking.fetchAll()).toEqual(['article.status']);
    await reaches(second, 'edited_by_owner');
  });

  it('go without a picture that the site could not have three times', async () => {
    const owner = await customer();
    const { featured_image: src, image } = await service.app.get(Pictures).draw(randomUUID());
    const ordered = await waiting(owner, { ...image, src, alt: '' });
    const unfetchable = { status: 422, body: { decola: 1, ok: false, code: 'media_fetch', message: 'não' } };
    site.fault = (request) => (request.type === 'article.media' ? unfetchable : closed(request));
    for (let time = 0; time < 3; time++) {
      await owner.asking.fetchAll();
      // What waits for its next attempt is tried at once.
      await query(`update deliveries set next_attempt_at = now() where state = 'retrying'`);
    }
    await reaches(ordered, 'seen');
    expect(site.messages('article.media')).toHaveLength(3);
    expect(site.messages('article.publish')[0]!.data).toMatchObject({ has_image: false });
  });

  it('are blocked when the plugin takes them again and again and never reports', async () => {
    const owner = await customer();
    const ordered = await waiting(owner);
    for (let time = 0; time < 6; time++) {
      await owner.asking.ask();
      offsetMs += 31 * 60_000;
      await reaches(ordered, 'waiting_pickup');
    }
    expect((await owner.asking.ask()).answer.operations.filter(({ body }) => typeOf(body).startsWith('article.'))).toEqual([]);
    expect(await reaches(ordered, 'blocked')).toMatchObject({
      code: 'refused',
      reason: expect.stringContaining('não disse o que fez') as string,
    });
  });

  it('are asked for at most 60 times a minute, by requests of at most 512 kB', async () => {
    const owner = await customer();
    await waiting(owner);
    await query(`insert into pickup_requests (site_id, message_id, at) select id, 'm' || n, $1 from sites, generate_series(1, 60) n`, [
      now(),
    ]);
    const refused = await owner.asking.ask();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    offsetMs = 61_000;
    expect((await owner.asking.ask({ take: false })).status).toBe(200);
    expect((await owner.asking.ask({ more: { padding: 'x'.repeat(maxPickupBytes) } })).status).toBe(413);
  });

  it('are nobody’s after their owner is erased', async () => {
    const owner = await customer();
    await waiting(owner);
    await query('delete from sites');
    expect(await query('select 1 from pickup_requests')).toEqual([]);
    expect((await owner.asking.ask()).status).toBe(401);
  });
});

const parsed = (body: string) => JSON.parse(body) as { type: string; data: Record<string, unknown> };
const typeOf = (body: string) => parsed(body).type;
const dataOf = (body: string) => parsed(body).data;
