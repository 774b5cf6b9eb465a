import { randomUUID } from 'node:crypto';
import { siteKeyOf, type TestWebhookAnswer } from '@decola/contracts';
import { connectMessaging } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { authenticated, eventually, type ServiceUnderTest, serviceUnderTest } from '@decola/testing';
import { AppModule } from '../src/app.module.js';
import { configSchema } from '../src/config/config.js';
import { migrations } from '../src/migrations/index.js';
import { siteProblemTexts, webhookTestTexts } from '../src/texts/delivery-texts.js';
import { type Answer, SiteReceiver } from './support/site-receiver.js';

const token = 'k7Qm3vX9bT2nL5wR8yC1zH4jF6gD0sAaEeIiOoUu-_x';
const html = { 'content-type': 'text/html' };

describe('the test of a webhook', () => {
  let service: ServiceUnderTest;
  let site: SiteReceiver;
  const query = <Found>(statement: string, parameters: unknown[] = []) => service.dataSource.query<Found[]>(statement, parameters);
  let offsetMs = 0;

  beforeAll(async () => {
    site = await SiteReceiver.start();
    service = await serviceUnderTest(
      { name: 'blog', configSchema, module: (config) => AppModule.forRoot(config), configure: connectMessaging },
      { migrations, environment: { OUTGOING_HTTP_HOSTS: site.host, DELIVERY_INTERVAL_MS: '20' } },
    );
    service.app.get(Clock).now = () => new Date(Date.now() + offsetMs);
  });
  beforeEach(() => {
    site.reset();
    site.token = token;
    offsetMs = 0;
  });
  afterAll(async () => {
    await service?.dispose();
    await site?.stop();
  });

  const test = async (body: unknown, userId: string = randomUUID()) => {
    const answer = await fetch(`${service.url}/functions/v1/test-webhook`, {
      method: 'POST',
      headers: { ...authenticated(userId), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) as TestWebhookAnswer;
  };
  const sitesOf = (userId: string) => query<Record<string, unknown>>('select * from sites where user_id = $1', [userId]);

  it('finds our plugin behind the address of the site, and keeps where it answers', async () => {
    const userId = randomUUID();
    expect(await test({ webhook_url: site.origin, token }, userId)).toEqual({
      success: true,
      verified: true,
      categories: ['Notícias', 'Receitas'],
      site: { host: '127.0.0.1', plugin: '1.0.0', wp: '6.6' },
    });
    expect(await sitesOf(userId)).toMatchObject([
      {
        site_key: siteKeyOf(site.origin),
        kind: 'plugin',
        door: `${site.origin}/wp-json/decola/v1/events`,
        capabilities: { seoPlugin: 'yoast' },
      },
    ]);
  });

  it.each(['/?rest_route=/decola/v1/events', '/?decola-webhook=1'])('finds the door %s, whichever one was typed', async (door) => {
    site.door = door;
    expect(await test({ webhook_url: `${site.origin}/wp-json/decola/v1/events`, token })).toMatchObject({ success: true, verified: true });
    expect(await test({ webhook_url: site.origin, token })).toMatchObject({ success: true, verified: true });
  });

  it('follows a redirect within the site', async () => {
    site.fault = ({ path }) => (path.startsWith('/alt') ? { status: 308, headers: { location: '/wp-json/decola/v1/events' } } : undefined);
    expect(await test({ webhook_url: `${site.origin}/alt?x=1`, token })).toMatchObject({ success: true, verified: true });
  });

  it('tells warnings of PHP and a short token', async () => {
    site.token = 'curto';
    const answers: Answer[] = [];
    site.fault = ({ type }) => (type === 'ping' ? answers.shift() : undefined);
    expect(await test({ webhook_url: site.origin, token: 'curto' })).toMatchObject({
      success: true,
      verified: true,
      warnings: ['Token curto: gere um novo'],
    });
    answers.push({ status: 200, headers: html, body: '<br /><b>Notice</b>: x in <b>/a.php</b>\n{"decola":1}' });
    expect(await test({ webhook_url: site.origin, token })).toMatchObject({
      success: true,
      warnings: [webhookTestTexts.notice('Notice : x in /a.php')],
    });
  });

  it('of another receiver is not verified, and says so', async () => {
    site.isPlugin = false;
    const userId = randomUUID();
    expect(await test({ webhook_url: `${site.origin}/hooks/1`, token }, userId)).toEqual({
      ...{ success: true, verified: false, hint: webhookTestTexts.notVerified },
      site: { host: '127.0.0.1', plugin: null, wp: null },
    });
    expect(await sitesOf(userId)).toMatchObject([{ kind: 'other', door: `${site.origin}/hooks/1` }]);
  });

  it('does not take somebody who copies the plugin’s answers for the plugin', async () => {
    site.fault = ({ method }) => (method === 'POST' ? { body: { decola: 1, proof: '00'.repeat(32), categories: [] } } : undefined);
    expect(await test({ webhook_url: site.origin, token })).toMatchObject({ success: true, verified: false });
  });

  it.each<[string, Answer]>([
    ['token', { status: 401, body: { decola: 1, code: 'token' } }],
    ['plugin_missing', { status: 404, headers: html, body: '<html>Não encontrado' }],
    ['not_json', { status: 204 }],
    ['refused', { status: 200, body: { success: false, error: 'não' } }],
    ['site_down', { status: 500 }],
    ['connection', { lost: true }],
    ['redirect', { status: 301, headers: { location: 'http://169.254.169.254/latest/meta-data' } }],
    ['gone', { status: 410 }],
  ])('%s is no success, and nothing is kept', async (code, answer) => {
    site.fault = ({ method }) => (method === 'POST' ? answer : undefined);
    const userId = randomUUID();
    const body = await test({ webhook_url: `${site.origin}/x?y=1`, token }, userId);
    expect(body).toMatchObject({ success: false, code });
    expect(body).toHaveProperty('error', expect.stringMatching(/\S/));
    expect(await sitesOf(userId)).toEqual([]);
  });

  it.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::ffff:10.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'file:///etc/passwd',
    'http://loja.example/',
    'https://u:p@loja.example/',
    'ftp://loja.example',
    'não é',
    'https://localhost/',
  ])('never calls %s', async (webhook_url) => {
    expect(await test({ webhook_url, token })).toEqual({ success: false, error: siteProblemTexts.address(), code: 'address' });
  });

  it('wants an address and a token', async () => {
    expect(await test({ webhook_url: ' ', token })).toMatchObject({ success: false, error: 'URL do webhook é obrigatória' });
    expect(await test({ webhook_url: site.origin, token: '' })).toMatchObject({ success: false, code: 'no_token' });
  });

  it('may be made ten times a minute and a hundred times a day', async () => {
    const userId = randomUUID();
    for (let count = 0; count < 10; count++)
      expect(await test({ webhook_url: site.origin, token }, userId)).toMatchObject({ success: true });
    const refused = await test({ webhook_url: site.origin, token }, userId);
    expect(refused).toMatchObject({ success: false, error: expect.stringMatching(/^Muitas tentativas\. Aguarde \d+ segundos\.$/) });
    // Others are not held up.
    expect(await test({ webhook_url: site.origin, token })).toMatchObject({ success: true });
    offsetMs = 61_000;
    expect(await test({ webhook_url: site.origin, token }, userId)).toMatchObject({ success: true });
    await query(`insert into webhook_tests (user_id, at) select $1, now() - interval '1 hour' from generate_series(1, 89)`, [userId]);
    const [, seconds] = /Aguarde (\d+) segundos/.exec(JSON.stringify(await test({ webhook_url: site.origin, token }, userId))) ?? [];
    expect(Number(seconds)).toBeGreaterThan(3_600);
  });

  it('that succeeds sends what waited for it', async () => {
    const userId = randomUUID();
    await fetch(`${service.url}/rest/v1/user_tokens`, {
      method: 'POST',
      headers: { ...authenticated(userId), 'content-type': 'application/json' },
      body: JSON.stringify({ user_id: userId, token, token_type: 'webhook' }),
    });
    await test({ webhook_url: site.origin, token }, userId);
    const [{ id: siteId }] = (await sitesOf(userId)) as [{ id: string }];
    await query('update sites set door = null where id = $1', [siteId]);
    const articleId = randomUUID();
    await query(
      `insert into customer_articles (id, user_id, blog_automation_id, run_id, site_key, title, slug, content_html, excerpt, state)
       values ($1, $2, $1, $1, $3, 'Pão de casa', 'pao', '<p>Pão</p>', '', 'approved')`,
      [articleId, userId, siteKeyOf(site.origin)],
    );
    await query(
      `insert into deliveries (user_id, article_id, site_id, revision, state, code, reason, attempt, counted_on) values ($1, $2, $3, 1, 'blocked', 'token', 'x', 2, now())`,
      [userId, articleId, siteId],
    );
    // Another token than the stored one proves nothing about the stored one.
    site.token = 'outro-token-que-ninguem-guardou-0123456789ab';
    expect(await test({ webhook_url: site.origin, token: site.token }, userId)).toMatchObject({ verified: true });
    expect(await query('select state from deliveries where article_id = $1', [articleId])).toEqual([{ state: 'blocked' }]);
    site.token = token;
    await test({ webhook_url: site.origin, token }, userId);
    await eventually(async () =>
      expect(await query('select state from deliveries where article_id = $1', [articleId])).toEqual([{ state: 'seen' }]),
    );
  });
});
