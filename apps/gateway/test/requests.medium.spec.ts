import { randomUUID } from 'node:crypto';
import { CONFIG, Logger, readCaller } from '@decola/service-kit';
import { testSigningKey } from '@decola/testing';
import { createClient } from '@supabase/supabase-js';
import { generateKeyPair } from 'jose';
import type { GatewayConfig } from '../src/config/config.js';
import { type FakeName, type GatewayBench, gatewayBench, publishableKey } from './support.js';

const files = {
  'prerendered/pages.json': JSON.stringify({ '/': '0.html', '/auth': '1.html', '/auth?mode=sign-up': '2.html' }),
  'prerendered/0.html':
    '<!doctype html><head><title>Decola</title></head><body><div id="root"><h1>Decole</h1><p>%%productName%%, %%supportEmail%%%%company%%</p></div></body>',
  'prerendered/1.html': '<!doctype html><head><title>Decola</title></head><body><h1>Entre</h1></body>',
  'prerendered/2.html': '<!doctype html><head><title>Decola</title></head><body><h1>Crie sua conta</h1></body>',
  'assets/app-1a2b.js': 'export {};',
  'plugin-wordpress.zip': 'PK',
};

describe('the gateway', () => {
  const userId = randomUUID();
  let bench: GatewayBench;
  let url: string;
  beforeAll(async () => {
    bench = await gatewayBench({ BLOG_URL: 'http://127.0.0.1:9' }, files);
    ({ url } = bench);
  });
  afterAll(() => bench?.dispose());
  beforeEach(() => bench.reset());

  /** Requests that a service got from clients, without the gateway's own about keys and sessions. */
  const seenBy = (...names: FakeName[]) =>
    names.flatMap((name) => bench.services[name].seen).filter((each) => !each.url.startsWith('/internal') && !each.url.includes('jwks'));
  const seenByTables = () => seenBy('automations', 'extraction', 'prize-wheel');
  const token = ({ roles = [] as string[], ...rest }: Parameters<GatewayBench['token']>[0] & { roles?: string[] } = {}) =>
    bench.token({ user: userId, claims: { app_metadata: { roles } }, ...rest });
  const get = async (address: string, headers: Record<string, string> = {}, init: RequestInit = {}) => {
    const answer = await fetch(`${url}${address}`, { headers, ...init });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : undefined,
    };
  };
  const withKey = (bearer?: string) => ({ apikey: publishableKey, ...(bearer ? { authorization: `Bearer ${bearer}` } : {}) });

  it('needs the API key, but not for preflights and pages', async () => {
    expect(await get('/rest/v1/automations')).toMatchObject({ status: 401, body: { message: 'No API key found in request' } });
    expect(await get('/auth/v1/user', { apikey: 'wrong' })).toMatchObject({ status: 401, body: { message: 'Invalid API key' } });
    const preflight = await get(
      '/rest/v1/automations',
      { origin: 'https://x.example', 'access-control-request-method': 'PATCH' },
      { method: 'OPTIONS' },
    );
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('x-supabase-api-version');
    expect(await get('/auth/v1/verify?token=x&type=recovery')).toMatchObject({ status: 200 });
    expect(seenBy('identity')).toHaveLength(1);
  });

  it('signs the caller of a valid token, and drops headers that only the gateway may set', async () => {
    const bearer = await token({ roles: ['admin_master'] });
    await get('/rest/v1/automations?select=*', { ...withKey(bearer), 'x-decola-caller': 'forged', 'x-decola-client-ip': '6.6.6.6' });
    const [seen] = seenByTables();
    expect(readCaller(seen?.headers['x-decola-caller'], testSigningKey)).toMatchObject({
      role: 'authenticated',
      userId,
      roles: ['admin_master'],
    });
    expect(seen?.headers['authorization']).toBeUndefined();
    expect(seen?.headers['x-decola-client-ip']).toBe('127.0.0.1');
    expect(seen?.url).toBe('/rest/v1/automations?select=*');
  });

  it('treats the key as bearer, or no bearer, as anonymous, but never an invalid token', async () => {
    await get('/rest/v1/automations', withKey(publishableKey));
    await get('/rest/v1/automations', withKey());
    expect(seenByTables().map(({ headers }) => readCaller(headers['x-decola-caller'], testSigningKey))).toEqual([
      { role: 'anon' },
      { role: 'anon' },
    ]);
    const other = await generateKeyPair('ES256');
    for (const bearer of ['abc', 'undefined', await token({ key: other.privateKey }), `${await token()}x`]) {
      expect(await get('/rest/v1/automations', withKey(bearer))).toMatchObject({ status: 401, body: { code: 'PGRST301' } });
      expect(await get('/functions/v1/check-subscription', withKey(bearer), { method: 'POST' })).toMatchObject({
        status: 401,
        body: { message: 'Invalid JWT' },
      });
    }
    expect(await get('/rest/v1/automations', withKey(await token({ expires: '-2m' })))).toMatchObject({
      status: 401,
      body: { code: 'PGRST303', message: 'JWT expired' },
    });
    expect(await get('/rest/v1/automations', withKey(await token({ lives: false })))).toMatchObject({
      status: 401,
      body: { code: 'PGRST303' },
    });
    expect(seenByTables()).toHaveLength(2);
  });

  it('forwards tokens to auth/v1 unchecked, since identity checks them', async () => {
    const bearer = 'whatever-it-is';
    await get('/auth/v1/user', withKey(bearer));
    expect(seenBy('identity')[0]?.headers).toMatchObject({ authorization: `Bearer ${bearer}`, 'x-decola-client-ip': '127.0.0.1' });
    expect(seenBy('identity')[0]?.headers['x-decola-caller']).toBeUndefined();
  });

  it('forwards a webhook byte by byte', async () => {
    const body = '{\n  "id": "evt_1",\n  "nome": "ação"\n}';
    await get(
      '/webhooks/stripe',
      { 'stripe-signature': 't=1,v1=abc', 'content-type': 'application/json; charset=utf-8' },
      { method: 'POST', body },
    );
    expect(seenBy('billing')[0]?.body.toString('utf8')).toBe(body);
    expect(seenBy('billing')[0]?.headers['stripe-signature']).toBe('t=1,v1=abc');
    expect(await get('/webhooks/stripe', {}, { method: 'POST', body: 'x'.repeat(1024 * 1024 + 1) })).toMatchObject({ status: 413 });
  });

  it('answers unknown names in the error format of each API', async () => {
    expect(await get('/rest/v1/nada', withKey())).toMatchObject({ status: 404, body: { code: 'PGRST205' } });
    expect(await get('/rest/v1/rpc/nada', withKey(), { method: 'POST' })).toMatchObject({ status: 404, body: { code: 'PGRST202' } });
    expect(await get('/rest/v1/a/b', withKey())).toMatchObject({ status: 404, body: { code: 'PGRST125' } });
    expect(await get('/functions/v1/nada', withKey(), { method: 'POST' })).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  const [code, message] = ['unsupported_media_type', 'Unsupported media type'];
  it.each([
    ['auth/v1/signup', { code: 415, error_code: code, msg: message }],
    ['rest/v1/automations', { code, message, details: null, hint: null }],
    ['functions/v1/check-subscription', { error: message, code }],
    ['storage/v1/object', { statusCode: '415', error: code, code, message }],
  ])('answers an invalid content type in the error format of the API, on %s', async (path, body) => {
    const headers = { ...withKey(), 'content-type': 'nope' };
    expect(await get(`/${path}`, headers, { method: 'POST', body: '{}' })).toMatchObject({ status: 415, body });
  });

  it('reports an unreachable service in a way that clients can distinguish from a refusal', async () => {
    expect(await get('/rest/v1/blog_articles', withKey())).toMatchObject({ status: 503, body: { code: 'PGRST002' } });
    const answer = await get('/functions/v1/test-webhook', withKey(), { method: 'POST' });
    expect(answer.headers.get('x-relay-error')).toBe('true');
    const { error } = await createClient(url, publishableKey, { auth: { persistSession: false } }).functions.invoke('test-webhook');
    expect((error as Error).name).toBe('FunctionsRelayError');
  });

  it('works with the published client', async () => {
    const client = createClient(url, publishableKey, { auth: { persistSession: false } });
    expect(await client.from('automations').select()).toMatchObject({ data: [], error: null });
    await client.functions.invoke('check-subscription');
    expect(seenBy('billing')[0]).toMatchObject({ method: 'POST', url: '/functions/v1/check-subscription' });
    expect(seenBy('billing')[0]?.body).toHaveLength(0);
  });

  it('serves the web app: hashed files cached for a year, pages never, and only the wheel may be framed', async () => {
    const file = await get('/assets/app-1a2b.js');
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    for (const [address, status] of [
      ...[['/', 200] as const, ['/adm/', 200] as const, ['/automation/auto-like?edit=1', 200] as const],
      ...[['/automation/nada', 404] as const, ['/nada', 404] as const],
    ]) {
      const page = await get(address, { accept: 'text/html' });
      expect([address, page.status]).toEqual([address, status]);
      expect(page.text).toContain(
        address === '/' ? '<title>Automação de Instagram e artigos para blog · Decola</title>' : '<title>Decola</title>',
      );
      expect(page.headers.get('cache-control')).toBe('no-cache');
      expect(page.headers.get('content-security-policy')).toContain(`frame-ancestors 'none'`);
    }
    expect((await get('/prize-wheel/abc?token=x')).headers.get('content-security-policy')).toContain('frame-ancestors *');
    expect((await get('/comprovante/K7QF-3MZP-9DX')).headers.get('content-security-policy')).toContain(`frame-ancestors 'none'`);
    expect((await get('/assets/missing.js')).status).toBe(404);
    expect((await get('/%2e%2e/%2e%2e/etc/passwd.txt')).status).toBe(404);
    const plugin = await get('/plugin-wordpress.zip');
    expect([plugin.status, plugin.headers.get('content-type'), plugin.text]).toEqual([200, 'application/zip', 'PK']);
    const manifest = await get('/manifest.webmanifest');
    expect(manifest.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8');
    expect(manifest.body).toMatchObject({ name: 'Decola', start_url: '/adm', display: 'standalone' });
    expect((await get('/config.json')).body).toMatchObject({ publishableKey, productName: 'Decola' });
    expect(await get('/robots.txt')).toMatchObject({
      status: 200,
      text: expect.stringContaining('Sitemap: http://decola.test/sitemap.xml'),
    });
    expect((await get('/sitemap.xml')).text).toContain('<loc>http://decola.test/planos</loc>');
    const page = await get('/sitemap.xml', { accept: 'text/html,*/*;q=0.8' });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });

  it('sends the landing page as the build rendered it, with the configuration filled in, except to who follows a link of a mail', async () => {
    const page = await get('/?utm_source=teste', { accept: 'text/html' });
    expect(page.text).toContain('<p>Decola, a@decola.test</p>');
    expect(page.text).toContain('<link rel="canonical" href="http://decola.test/">');
    expect([page.headers.get('content-encoding'), page.headers.get('vary')]).toEqual(['gzip', 'accept-encoding']);
    const plain = await get('/', { 'accept-encoding': 'identity' });
    expect([plain.text, plain.headers.get('content-encoding')]).toEqual([page.text, null]);
    expect((await get('/?code=abc')).text).not.toContain('<h1>');
  });

  it('sends the sign-in page as the build rendered it for a query, and leaves any other query to the browser', async () => {
    const heading = async (address: string) => /<h1>(.*)<\/h1>/.exec((await get(address)).text)?.[1];
    expect(await heading('/auth')).toBe('Entre');
    expect(await heading('/auth?mode=sign-up')).toBe('Crie sua conta');
    expect(await heading('/auth?mode=forgot')).toBeUndefined();
    expect(await heading('/auth?error=access_denied')).toBeUndefined();
    expect((await get('/auth')).text).toContain('<link rel="canonical" href="http://decola.test/auth">');
    expect((await get('/prerendered/1.html')).status).toBe(404);
  });

  it('returns the seconds to wait when a rate limit is reached', async () => {
    const { RateLimits } = await import('../src/limits/rate-limits.js');
    const limits = RateLimits.create(
      { ...bench.app.get<GatewayConfig>(CONFIG), REDIS_PREFIX: `${bench.redis.prefix}few:`, RATE_LIMIT_REQUESTS_PER_MINUTE: 3 },
      bench.app.get(Logger),
    );
    const waits = [];
    for (let count = 0; count < 5; count++) waits.push(await limits.countRequest('1.2.3.4', 'rest', 'GET', '/rest/v1/automations'));
    expect(waits.slice(0, 3)).toEqual([null, null, null]);
    expect(waits[3]).toBeGreaterThan(0);
    expect(await limits.countRequest('5.6.7.8', 'rest', 'GET', '/rest/v1/automations')).toBeNull();
    limits.close();
  });
});
