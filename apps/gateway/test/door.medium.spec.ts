import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { CONFIG, createService, Logger, readCaller } from '@decola/service-kit';
import { testRedis, testSigningKey } from '@decola/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createClient } from '@supabase/supabase-js';
import { exportJWK, generateKeyPair, type GenerateKeyPairResult, SignJWT } from 'jose';
import { AppModule } from '../src/app.module.js';
import { configSchema, type GatewayConfig } from '../src/config.js';
import { Door } from '../src/door.js';

const publishableKey = 'sb_publishable_test_key_0001';

interface Seen {
  method: string;
  url: string;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

/** A service that notes what reaches it. */
async function upstream(answer: (seen: Seen) => { status?: number; headers?: Record<string, string>; body?: string } = () => ({})) {
  const seen: Seen[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const each = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) };
      if (!each.url.startsWith('/internal') && !each.url.includes('jwks')) seen.push(each);
      const { status = 200, headers = { 'content-type': 'application/json' }, body = '[]' } = answer(each);
      response.writeHead(status, headers).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    seen,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
    server,
  };
}

describe('the gateway', () => {
  let app: NestFastifyApplication;
  let url: string;
  let keys: GenerateKeyPairResult;
  const living = new Set<string>();
  const userId = randomUUID();
  const redis = testRedis();
  let identity: Awaited<ReturnType<typeof upstream>>;
  let billing: Awaited<ReturnType<typeof upstream>>;
  let service: Awaited<ReturnType<typeof upstream>>;

  beforeAll(async () => {
    keys = await generateKeyPair('ES256', { extractable: true });
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' };
    identity = await upstream(({ url: address }) => {
      if (address.includes('jwks')) return { body: JSON.stringify({ keys: [jwk] }) };
      if (address.startsWith('/internal/sessions/')) return { status: living.has(address.split('/').pop() ?? '') ? 200 : 404, body: '{}' };
      return { body: '{"ok":true}' };
    });
    billing = await upstream();
    service = await upstream();
    const site = mkdtempSync(path.join(os.tmpdir(), 'gateway-'));
    writeFileSync(path.join(site, 'index.html'), '<!doctype html><title>Decola</title>');
    mkdirSync(path.join(site, 'assets'));
    writeFileSync(path.join(site, 'assets/app-1a2b.js'), 'export {};');
    app = await createService({
      name: 'gateway',
      configSchema,
      module: () => AppModule,
      parseBodies: false,
      configure: (each, config) => new Door({ ...config, SITE_URL: 'http://decola.test' }, each.get(Logger)).open(each),
      environment: {
        PORT: '0',
        LOG_LEVEL: 'silent',
        INTERNAL_SIGNING_KEY: testSigningKey,
        REDIS_URL: redis.url,
        REDIS_PREFIX: redis.prefix,
        SITE_URL: 'http://decola.test',
        PUBLISHABLE_KEY: publishableKey,
        WEB_DIST: site,
        IDENTITY_URL: identity.url,
        BILLING_URL: billing.url,
        AUTOMATIONS_URL: service.url,
        EXTRACTION_URL: service.url,
        PRIZE_WHEEL_URL: service.url,
        BLOG_URL: 'http://127.0.0.1:9',
        SUPPORT_EMAIL: 'a@decola.test',
        PRIVACY_EMAIL: 'b@decola.test',
        DPO_EMAIL: 'c@decola.test',
      },
    });
    url = await app.getUrl();
  });
  afterAll(async () => {
    await app.close();
    for (const each of [identity, billing, service]) each.server.closeAllConnections();
    await Promise.all([identity.close(), billing.close(), service.close(), redis.dispose()]);
  });
  beforeEach(() => {
    for (const each of [identity, billing, service]) each.seen.length = 0;
  });

  const token = async ({ session = randomUUID(), lives = true, expires = '1h', key = keys.privateKey, roles = [] as string[] } = {}) => {
    if (lives) living.add(session);
    return new SignJWT({ role: 'authenticated', session_id: session, aal: 'aal1', email: 'ana@example.com', app_metadata: { roles } })
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .setSubject(userId)
      .setIssuer('http://decola.test/auth/v1')
      .setAudience('authenticated')
      .setIssuedAt()
      .setExpirationTime(expires)
      .sign(key);
  };
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

  it('asks for the public key, but not of a preflight or of a page', async () => {
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
    expect(identity.seen).toHaveLength(1);
  });

  it('vouches for the person of a valid token and strips what only the gateway may say', async () => {
    const bearer = await token({ roles: ['admin_master'] });
    await get('/rest/v1/automations?select=*', { ...withKey(bearer), 'x-decola-caller': 'forged', 'x-decola-client-ip': '6.6.6.6' });
    const [seen] = service.seen;
    expect(readCaller(seen?.headers['x-decola-caller'], testSigningKey)).toMatchObject({
      role: 'authenticated',
      userId,
      roles: ['admin_master'],
    });
    expect(seen?.headers['authorization']).toBeUndefined();
    expect(seen?.headers['x-decola-client-ip']).toBe('127.0.0.1');
    expect(seen?.url).toBe('/rest/v1/automations?select=*');
  });

  it('takes the key as bearer, or none, for an anonymous caller, and never an invalid token', async () => {
    await get('/rest/v1/automations', withKey(publishableKey));
    await get('/rest/v1/automations', withKey());
    expect(service.seen.map(({ headers }) => readCaller(headers['x-decola-caller'], testSigningKey))).toEqual([
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
    expect(service.seen).toHaveLength(2);
  });

  it('leaves tokens of auth/v1 to identity', async () => {
    const bearer = 'whatever-it-is';
    await get('/auth/v1/user', withKey(bearer));
    expect(identity.seen[0]?.headers).toMatchObject({ authorization: `Bearer ${bearer}`, 'x-decola-client-ip': '127.0.0.1' });
    expect(identity.seen[0]?.headers['x-decola-caller']).toBeUndefined();
  });

  it('passes a webhook on byte by byte', async () => {
    const body = '{\n  "id": "evt_1",\n  "nome": "ação"\n}';
    await get(
      '/webhooks/stripe',
      { 'stripe-signature': 't=1,v1=abc', 'content-type': 'application/json; charset=utf-8' },
      { method: 'POST', body },
    );
    expect(billing.seen[0]?.body.toString('utf8')).toBe(body);
    expect(billing.seen[0]?.headers['stripe-signature']).toBe('t=1,v1=abc');
    expect(await get('/webhooks/stripe', {}, { method: 'POST', body: 'x'.repeat(1024 * 1024 + 1) })).toMatchObject({ status: 413 });
  });

  it('answers what it does not know in the form of each API', async () => {
    expect(await get('/rest/v1/nada', withKey())).toMatchObject({ status: 404, body: { code: 'PGRST205' } });
    expect(await get('/rest/v1/rpc/nada', withKey(), { method: 'POST' })).toMatchObject({ status: 404, body: { code: 'PGRST202' } });
    expect(await get('/rest/v1/a/b', withKey())).toMatchObject({ status: 404, body: { code: 'PGRST125' } });
    expect(await get('/functions/v1/nada', withKey(), { method: 'POST' })).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('says that a service is away, so that clients can tell it from a refusal', async () => {
    expect(await get('/rest/v1/blog_articles', withKey())).toMatchObject({ status: 503, body: { code: 'PGRST002' } });
    const answer = await get('/functions/v1/test-webhook', withKey(), { method: 'POST' });
    expect(answer.headers.get('x-relay-error')).toBe('true');
    const { error } = await createClient(url, publishableKey, { auth: { persistSession: false } }).functions.invoke('test-webhook');
    expect((error as Error).name).toBe('FunctionsRelayError');
  });

  it('works under the published client', async () => {
    const client = createClient(url, publishableKey, { auth: { persistSession: false } });
    expect(await client.from('automations').select()).toMatchObject({ data: [], error: null });
    await client.functions.invoke('check-subscription');
    expect(billing.seen[0]).toMatchObject({ method: 'POST', url: '/functions/v1/check-subscription' });
    expect(billing.seen[0]?.body).toHaveLength(0);
  });

  it('serves the app: hashed files for ever, every page fresh, the wheel alone in frames', async () => {
    const file = await get('/assets/app-1a2b.js');
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    for (const address of ['/', '/adm', '/automation/auto-like?edit=1', '/nada']) {
      const page = await get(address, { accept: 'text/html' });
      expect(page).toMatchObject({ status: 200 });
      expect(page.text).toContain(
        address === '/' ? '<title>Automação de Instagram e artigos para blog · Decola</title>' : '<title>Decola</title>',
      );
      expect(page.headers.get('cache-control')).toBe('no-cache');
      expect(page.headers.get('content-security-policy')).toContain(`frame-ancestors 'none'`);
    }
    expect((await get('/prize-wheel/abc?token=x')).headers.get('content-security-policy')).toContain('frame-ancestors *');
    expect((await get('/assets/missing.js')).status).toBe(404);
    expect((await get('/%2e%2e/%2e%2e/etc/passwd.txt')).status).toBe(404);
    expect((await get('/config.json')).body).toMatchObject({ publishableKey, productName: 'Decola' });
    expect(await get('/robots.txt')).toMatchObject({
      status: 200,
      text: expect.stringContaining('Sitemap: http://decola.test/sitemap.xml'),
    });
    expect((await get('/sitemap.xml')).text).toContain('<loc>http://decola.test/planos</loc>');
    const page = await get('/sitemap.xml', { accept: 'text/html,*/*;q=0.8' });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });

  it('tells too many requests when to come back', async () => {
    const { RateLimits } = await import('../src/rate-limits.js');
    const limits = RateLimits.create(
      { ...app.get<GatewayConfig>(CONFIG), REDIS_PREFIX: `${redis.prefix}few:`, RATE_LIMIT_REQUESTS_PER_MINUTE: 3 },
      app.get(Logger),
    );
    const waits = [];
    for (let count = 0; count < 5; count++) waits.push(await limits.take('1.2.3.4', 'rest', 'GET', '/rest/v1/automations'));
    expect(waits.slice(0, 3)).toEqual([null, null, null]);
    expect(waits[3]).toBeGreaterThan(0);
    expect(await limits.take('5.6.7.8', 'rest', 'GET', '/rest/v1/automations')).toBeNull();
    limits.close();
  });
});
