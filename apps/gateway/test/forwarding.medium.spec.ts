import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Logger } from '@decola/service-kit';
import { eventually, freePort } from '@decola/testing';
import { createClient } from '@supabase/supabase-js';
import { type FakeName, gatewayBench, type GatewayBench, publishableKey, serviceNames } from './support.js';

describe('the gateway', () => {
  let own: GatewayBench;
  beforeAll(async () => {
    own = await gatewayBench();
  });
  beforeEach(() => own.reset());
  afterAll(() => own?.dispose());

  const reached = (): FakeName[] =>
    serviceNames.filter((name) => own.services[name].seen.some(({ url }) => /\/(rest|functions|storage|auth)\/v1\//.test(url)));

  it.each([
    ['GET', '/rest/v1/profiles?select=*', 'identity'],
    ['GET', '/rest/v1/user_roles', 'identity'],
    ['GET', '/rest/v1/subscription_plans', 'billing'],
    ['GET', '/rest/v1/subscriptions', 'billing'],
    ['GET', '/rest/v1/automations', 'automations'],
    ['POST', '/rest/v1/blog_automations', 'automations'],
    ['PATCH', '/rest/v1/instagram_sessions?id=eq.1', 'automations'],
    ['GET', '/rest/v1/account_usage?select=*', 'automations'],
    ['GET', '/rest/v1/account_growth?order=day.desc', 'automations'],
    ['GET', '/rest/v1/run_diary?order=at.desc,id.desc', 'automations'],
    ['GET', '/rest/v1/account_activity', 'automations'],
    ['GET', '/rest/v1/previews?order=created_at.desc', 'automations'],
    ['GET', '/rest/v1/account_pauses', 'automations'],
    ['GET', '/rest/v1/follow_backs', 'automations'],
    ['DELETE', '/rest/v1/extracted_data?id=eq.1', 'extraction'],
    ['GET', '/rest/v1/leads?order=number.desc', 'extraction'],
    ['GET', '/rest/v1/prize_wheel_participations', 'prize-wheel'],
    ['HEAD', '/rest/v1/blog_articles', 'blog'],
    ['GET', '/rest/v1/user_keywords', 'blog'],
    ['GET', '/rest/v1/user_tokens', 'blog'],
    ['POST', '/rest/v1/rpc/get_available_slots', 'automations'],
    ['POST', '/rest/v1/rpc/preview_automation', 'automations'],
    ['POST', '/rest/v1/rpc/get_latest_extraction', 'extraction'],
    ['POST', '/rest/v1/rpc/get_extracted_slots', 'extraction'],
    ['POST', '/rest/v1/rpc/generate_random_token', 'blog'],
    ['POST', '/rest/v1/rpc/increment_article_views', 'blog'],
    ['POST', '/functions/v1/check-subscription', 'billing'],
    ['POST', '/functions/v1/customer-portal', 'billing'],
    ['POST', '/functions/v1/create-checkout', 'billing'],
    ['POST', '/functions/v1/change-plan', 'billing'],
    ['POST', '/functions/v1/prize-extractor', 'prize-wheel'],
    ['POST', '/functions/v1/lead-webhook', 'extraction'],
    ['POST', '/functions/v1/test-webhook', 'blog'],
    ['POST', '/auth/v1/token?grant_type=password', 'identity'],
    ['GET', '/storage/v1/object/sign/extractions/a.csv?token=x', 'extraction'],
    ['GET', '/storage/v1/object/sign/extractions/a.xlsx?token=x', 'extraction'],
    ['GET', '/storage/v1/object/pictures/3fa85f64-5717-4562-b3fc-2c963f66afa6', 'automations'],
    ['GET', '/storage/v1/object/public/blog-images/0123456789abcdef0123456789abcdef-800.webp', 'blog'],
    ['GET', '/storage/v1/object/public/article-images/0123456789abcdef0123456789abcdef-share.jpg', 'blog'],
    ['GET', '/rest/v1/deliveries', 'blog'],
    ['GET', '/rest/v1/delivery_attempts', 'blog'],
    ['GET', '/rest/v1/sites', 'blog'],
    ['POST', '/functions/v1/retry-delivery', 'blog'],
    ['POST', '/functions/v1/withdraw-article', 'blog'],
    ['POST', '/functions/v1/revoke-previous-token', 'blog'],
  ] as const)('forwards %s %s to %s with its query and body', async (method, address, service) => {
    const body = method === 'POST' || method === 'PATCH' ? '{ "nome":  "ação" }' : undefined;
    const answer = await own.call(address, { method, headers: { 'content-type': 'application/json' }, ...(body ? { body } : {}) });
    expect(answer.status).toBe(200);
    expect(reached()).toEqual([service]);
    const [seen] = own.services[service].seen.filter(({ url }) => !url.includes('jwks'));
    expect([seen?.method, seen?.url, seen?.body.toString('utf8')]).toEqual([method, address, body ?? '']);
  });

  it.each([
    ['/rest/v1/users', 'PGRST205'],
    ['/rest/v1/outbox', 'PGRST205'],
    ['/rest/v1/constructor', 'PGRST205'],
    ['/rest/v1/__proto__', 'PGRST205'],
    ['/rest/v1/%61utomations', 'PGRST205'],
    ['/rest/v1/rpc/toString', 'PGRST202'],
    ['/rest/v1/rpc/pg_sleep', 'PGRST202'],
    ['/rest/v1/', 'PGRST125'],
    ['/rest/v1/automations/1', 'PGRST125'],
  ])('forwards %s to no service', async (address, code) => {
    const answer = await own.call(address);
    expect([answer.status, answer.body?.['code']]).toEqual([404, code]);
    expect(reached()).toEqual([]);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('forwards neither internal paths nor paths outside of the known prefixes', async () => {
    for (const address of [
      '/internal/sessions/x',
      '/internal/account-export',
      '/internal/site/feed',
      '/internal/site/articles',
      '/internal/site/articles/um-artigo',
      '/functions/v1/valueOf',
      '/storage/v1/object/sign/other/a.csv',
      '/storage/v1/object/pictures',
      '/storage/v1/object/pictures/',
      '/storage/v1/object/pictures/a/b',
      '/storage/v1/object/public/pictures/a',
      '/storage/v1/object/sign/pictures/a?token=x',
      '/storage/v1/object/public/blog-images',
      '/storage/v1/object/public/blog-images/',
      '/storage/v1/object/public/blog-images/a/b.webp',
      '/storage/v1/object/blog-images/a.webp',
      '/storage/v1/object/sign/blog-images/a.webp?token=x',
      '/storage/v1/object/list/blog-images',
      '/storage/v1/object/public/article-images/',
      '/storage/v1/object/article-images/a.jpg',
      '/realtime/v1/websocket',
      '/storage/v1/bucket',
    ]) {
      await own.call(address, { method: 'POST' });
      await own.call(address);
    }
    expect(serviceNames.flatMap((name) => own.services[name].seen.map(({ url }) => url))).toEqual([]);
  });

  it.each(['/webhooks/stripe/', '/webhooks/nobody', '/webhooks/'])(
    'answers an unknown webhook with 404, not with a page: %s',
    async (address) => {
      expect(await own.call(address)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    },
  );

  it.each([
    '/auth/v1/token',
    '/rest/v1/automations',
    '/functions/v1/check-subscription',
    '/storage/v1/object/extractions/a',
    '/rest/v1/nothing',
  ])('answers the preflight of a page on any site without a key: %s', async (address) => {
    const answer = await fetch(`${own.url}${address}`, {
      method: 'OPTIONS',
      headers: { origin: 'https://cliente.example', 'access-control-request-method': 'PATCH' },
    });
    expect(answer.status).toBe(204);
    const list = (name: string) => (answer.headers.get(name) ?? '').toLowerCase().split(/, */);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(list('access-control-allow-methods')).toEqual(
      expect.arrayContaining(['get', 'head', 'post', 'patch', 'put', 'delete', 'options']),
    );
    expect(list('access-control-allow-headers')).toEqual(
      expect.arrayContaining(
        'authorization apikey content-type accept prefer range x-client-info accept-profile content-profile x-retry-count x-supabase-api-version x-region traceparent tracestate baggage'.split(
          ' ',
        ),
      ),
    );
    expect(list('access-control-expose-headers')).toEqual(
      expect.arrayContaining(
        'content-range content-location content-profile location preference-applied range-unit content-encoding x-supabase-api-version x-relay-error'.split(
          ' ',
        ),
      ),
    );
    expect(reached()).toEqual([]);
  });

  it('returns the answer of a service byte by byte, without its cookies', async () => {
    const csv = randomBytes(3_000_000);
    own.services.extraction.answer = () => ({
      headers: {
        'content-type': 'text/csv',
        'content-encoding': 'gzip',
        'content-range': '0-9/57',
        'set-cookie': 'a=b',
        'x-powered-by': 'x',
      },
      body: gzipSync(csv),
    });
    const answer = await own.call('/rest/v1/extracted_data');
    own.services.extraction.answer = () => ({});
    expect(answer.bytes.equals(csv)).toBe(true);
    expect(answer.headers.get('content-range')).toBe('0-9/57');
    expect(answer.headers.get('access-control-expose-headers')).toContain('Content-Range');
    expect([answer.headers.get('set-cookie'), answer.headers.get('x-powered-by')]).toEqual([null, null]);
    expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/);
  });

  it('returns a refusal of a service unchanged', async () => {
    own.services.automations.answer = () => ({
      status: 400,
      headers: { 'content-type': 'application/json' },
      body: '{"code":"P0001","message":"Sem slots.","details":null,"hint":null}',
    });
    const { error, status } = await createClient(own.url, publishableKey, { auth: { persistSession: false } })
      .from('automations')
      .insert({ name: 'x' });
    own.services.automations.answer = () => ({});
    expect([status, error?.code, error?.message]).toEqual([400, 'P0001', 'Sem slots.']);
  });

  it('aborts the request to a service when the client disconnects', async () => {
    own.services.billing.answer = () => ({ silent: true });
    const before = own.services.billing.abandoned;
    const gone = new AbortController();
    const call = own.call('/functions/v1/check-subscription', { method: 'POST', signal: gone.signal }).catch(() => undefined);
    await eventually(() => expect(reached()).toEqual(['billing']));
    gone.abort();
    await call;
    await eventually(() => expect(own.services.billing.abandoned).toBe(before + 1));
    own.services.billing.answer = () => ({});
  });

  it('refuses bodies beyond the limit in the error format of the API, with CORS headers', async () => {
    const big = 'x'.repeat(1024 * 1024 + 1);
    for (const [address, size, code] of [
      ['/auth/v1/signup', big, 'request_entity_too_large'],
      ['/functions/v1/create-checkout', big, 'payload_too_large'],
      ['/functions/v1/prize-extractor', 'x'.repeat(16 * 1024 + 1), 'payload_too_large'],
      ['/rest/v1/automations', big.repeat(13), '54000'],
    ] as const) {
      const answer = await own.call(address, {
        method: 'POST',
        body: size,
        headers: { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01' },
      });
      expect([address, answer.status, answer.body?.['code']]).toEqual([address, 413, code]);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    }
    const writes = (token: string, table: string, times: number) =>
      own
        .call(`/rest/v1/${table}`, {
          method: 'POST',
          body: big.repeat(times),
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        })
        .then(({ status }) => status);
    const [customer, admin] = [await own.token(), await own.token({ claims: { app_metadata: { roles: ['admin_master'] } } })];
    expect(await writes(customer, 'extracted_data', 10)).toBe(200);
    expect(own.services.extraction.seen.at(-1)?.body.equals(Buffer.from(big.repeat(10)))).toBe(true);
    expect(await writes(publishableKey, 'extracted_data', 10)).toBe(413);
    expect(await writes(admin, 'blog_articles', 10)).toBe(200);
    expect(await writes(customer, 'blog_articles', 10)).toBe(413);
    expect(await writes(customer, 'automations', 2)).toBe(413);
    expect(await writes(admin, 'blog_articles', 13)).toBe(413);
  });

  it('serves metrics on their own port, and not on the public one', async () => {
    const port = await freePort();
    const watched = await gatewayBench({ METRICS_PORT: String(port) });
    try {
      for (const spelling of ['/metrics', '/%6Detrics', '/metrics?x=1', '/metrics/'])
        expect((await (await fetch(`${watched.url}${spelling}`)).text()).includes('http_request_duration_seconds')).toBe(false);
      const figures = await fetch(`http://127.0.0.1:${port}/metrics`);
      expect([figures.status, (await figures.text()).includes('http_request_duration_seconds')]).toEqual([200, true]);
    } finally {
      await watched.dispose();
    }
    await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow();
  });

  it('forbids caching and content sniffing of API answers', async () => {
    const plain = { 'content-type': 'application/json' };
    own.services.automations.answer = () => ({ headers: plain });
    own.services.identity.answer = (
      (before) => (seen) =>
        seen.url === '/auth/v1/settings' ? { headers: { ...plain, 'cache-control': 'public, max-age=60' }, body: '{}' } : before(seen)
    )(own.services.identity.answer);
    for (const [address, status] of [
      ['/rest/v1/automations', 200],
      ['/rest/v1/nada', 404],
      ['/rest/v1/%zz', 400],
      ['/auth/v1/user', 200],
      ['/functions/v1/nada', 404],
      ['/realtime/v1/x', 404],
      ['/storage/v1/nada', 404],
    ] as const) {
      const { headers, status: given } = await own.call(address);
      expect([address, given, headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
        address,
        status,
        'no-store',
        'nosniff',
      ]);
    }
    // An answer that allows caching itself keeps its header.
    expect((await own.call('/auth/v1/settings')).headers.get('cache-control')).toBe('public, max-age=60');
    for (const address of ['/', '/config.json', '/assets/nada.js'])
      expect((await own.call(address)).headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('sets the CORS headers of an API itself, whatever the service answers, and none on pages', async () => {
    own.services.automations.answer = () => ({
      headers: { 'content-type': 'application/json', 'access-control-allow-origin': 'https://x.example' },
    });
    const answer = await own.call('/rest/v1/automations');
    own.services.automations.answer = () => ({});
    expect([answer.headers.get('access-control-allow-origin'), answer.headers.get('vary')]).toEqual(['*', null]);
    const preflight = await fetch(`${own.url}/rest/v1/automations`, { method: 'OPTIONS' });
    expect(preflight.status).toBe(204);
    expect([preflight.headers.get('content-length'), preflight.headers.get('access-control-max-age')]).toEqual([null, '7200']);
    expect((await own.call('/')).headers.get('access-control-allow-origin')).toBeNull();
  });

  it('sets the security headers of pages; only the public wheel may be framed', async () => {
    const policy = (frameAncestors: string) =>
      [
        `default-src 'self'`,
        `img-src 'self' data: https:`,
        `style-src 'self' 'unsafe-inline'`,
        `font-src 'self' data:`,
        `connect-src 'self'`,
        `object-src 'none'`,
        `base-uri 'self'`,
        `form-action 'self'`,
        `frame-ancestors ${frameAncestors}`,
      ].join(';');
    const names = [
      'content-security-policy',
      'x-frame-options',
      'x-content-type-options',
      'referrer-policy',
      'permissions-policy',
      'strict-transport-security',
    ];
    const headersOf = async (bench: GatewayBench, path: string) => {
      const { headers } = await bench.call(path);
      return names.map((name) => headers.get(name));
    };
    const permissions = 'camera=(), microphone=(), geolocation=()';
    const shared = ['nosniff', 'strict-origin-when-cross-origin', permissions];
    expect(await headersOf(own, '/planos')).toEqual([policy(`'none'`), 'DENY', ...shared, null]);
    expect(await headersOf(own, '/%72est/v1/automations')).toEqual([policy(`'none'`), 'DENY', ...shared, null]);
    // The address of a public wheel holds its token.
    for (const path of ['/prize-wheel/x', '/prize%2dwheel/x'])
      expect(await headersOf(own, path)).toEqual([policy('*'), null, 'nosniff', 'no-referrer', permissions, null]);
    expect(await headersOf(own, '/rest/v1/automations')).toEqual([null, null, 'nosniff', null, null, null]);
    const https = await gatewayBench({ SITE_URL: 'https://decola.test' });
    expect((await headersOf(https, '/'))[5]).toBe('max-age=31536000; includeSubDomains');
    await https.dispose();
  });

  it('lists every article in the sitemap', async () => {
    const slugs = Array.from({ length: 2_300 }, (_, index) => ({ slug: `artigo-${index}`, updatedAt: '2026-11-22T12:00:00.000Z' }));
    own.services.blog.answer = () => ({ body: JSON.stringify({ recent: [], slugs }) });
    const { bytes } = await own.call('/sitemap.xml');
    expect(bytes.toString().split('/blog/artigo-')).toHaveLength(2_301);
    own.services.blog.answer = () => ({});
  });

  it('says in security.txt how to report a vulnerability', async () => {
    const answer = await own.call('/.well-known/security.txt');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const fields = Object.fromEntries(
      answer.bytes
        .toString()
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    expect(fields).toMatchObject({
      Contact: 'mailto:a@decola.test',
      Canonical: 'http://decola.test/.well-known/security.txt',
      'Preferred-Languages': 'pt-BR, en',
    });
    const days = (Date.parse(fields['Expires']!) - Date.now()) / 86_400_000;
    expect(days > 30 && days < 365).toBe(true);
  });

  it('logs once that a service cannot be reached, and logs no other error', async () => {
    const complaints: unknown[][] = [];
    const closed = await gatewayBench({ AUTOMATIONS_URL: 'http://127.0.0.1:1' });
    closed.app.get(Logger).error = (...words: unknown[]) => void complaints.push(words);
    expect((await closed.call('/rest/v1/automations')).status).toBe(503);
    expect((await closed.call('/rest/v1/nothing')).status).toBe(404);
    await closed.dispose();
    expect(complaints.map((words) => words[1])).toEqual(['service cannot be reached']);
  });

  it('refuses a malformed path with a client error', async () => {
    for (const address of ['/%', '/a%00b', '/rest/v1/%zz']) expect((await own.call(address)).status).toBeLessThan(500);
  });
});
