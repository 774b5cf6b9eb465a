import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Logger, readCaller } from '@decola/service-kit';
import { eventually, testSigningKey } from '@decola/testing';
import { createClient } from '@supabase/supabase-js';
import { TokenVerifier } from '../src/tokens.js';
import { type FakeName, gatewayBench, type GatewayBench, issuer, publishableKey, serviceNames } from './support.js';

describe('every name that is served', () => {
  let own: GatewayBench;
  beforeAll(async () => {
    own = await gatewayBench();
  });
  beforeEach(() => own.reset());
  afterAll(() => own.dispose());

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
    ['DELETE', '/rest/v1/extracted_data?id=eq.1', 'extraction'],
    ['GET', '/rest/v1/prize_wheel_participations', 'prize-wheel'],
    ['HEAD', '/rest/v1/blog_articles', 'blog'],
    ['GET', '/rest/v1/user_keywords', 'blog'],
    ['GET', '/rest/v1/user_tokens', 'blog'],
    ['POST', '/rest/v1/rpc/get_available_slots', 'automations'],
    ['POST', '/rest/v1/rpc/get_latest_extraction', 'extraction'],
    ['POST', '/rest/v1/rpc/get_extracted_slots', 'extraction'],
    ['POST', '/rest/v1/rpc/generate_random_token', 'blog'],
    ['POST', '/rest/v1/rpc/increment_article_views', 'blog'],
    ['POST', '/functions/v1/check-subscription', 'billing'],
    ['POST', '/functions/v1/customer-portal', 'billing'],
    ['POST', '/functions/v1/create-checkout', 'billing'],
    ['POST', '/functions/v1/change-plan', 'billing'],
    ['POST', '/functions/v1/prize-extractor', 'prize-wheel'],
    ['POST', '/functions/v1/test-webhook', 'blog'],
    ['POST', '/auth/v1/token?grant_type=password', 'identity'],
    ['GET', '/storage/v1/object/sign/extractions/a.csv?token=x', 'extraction'],
  ] as const)('%s %s goes to %s with its query and its body', async (method, address, service) => {
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
  ])('%s reaches nobody', async (address, code) => {
    const answer = await own.call(address);
    expect([answer.status, answer.body?.['code']]).toEqual([404, code]);
    expect(reached()).toEqual([]);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('lets nobody walk out of its prefix, or call what is inside', async () => {
    for (const address of [
      '/internal/sessions/x',
      '/functions/v1/valueOf',
      '/storage/v1/object/sign/other/a.csv',
      '/realtime/v1/websocket',
      '/storage/v1/bucket',
    ]) {
      await own.call(address, { method: 'POST' });
      await own.call(address);
    }
    expect(serviceNames.flatMap((name) => own.services[name].seen.map(({ url }) => url))).toEqual([]);
  });

  it.each(['/webhooks/stripe/', '/webhooks/nobody', '/webhooks/'])('shows no page where a machine asks: %s', async (address) => {
    expect(await own.call(address)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it.each([
    '/auth/v1/token',
    '/rest/v1/automations',
    '/functions/v1/check-subscription',
    '/storage/v1/object/extractions/a',
    '/rest/v1/nothing',
  ])('lets a page on any site ask first, without a key: %s', async (address) => {
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

  it('gives back what a service answers, byte by byte, without its cookies', async () => {
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

  it('passes a refusal of a service on as it is', async () => {
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

  it('ends the work of a service for a client that went away', async () => {
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

  it('refuses bodies beyond the limit in the form of the API, readable from any site', async () => {
    const big = 'x'.repeat(1024 * 1024 + 1);
    for (const [address, size, code] of [
      ['/auth/v1/signup', big, 'request_entity_too_large'],
      ['/functions/v1/create-checkout', big, 'payload_too_large'],
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
    expect(
      (await own.call('/rest/v1/automations', { method: 'POST', body: big.repeat(10), headers: { 'content-type': 'application/json' } }))
        .status,
    ).toBe(200);
  });

  it('tells its figures to those inside alone', async () => {
    expect((await own.call('/metrics')).status).toBe(200);
    for (const spelling of ['/metrics', '/%6Detrics', '/metrics?x=1'])
      expect((await own.call(spelling, { headers: { 'x-forwarded-for': '1.2.3.4' } })).status).toBe(404);
  });

  it('says once that a service is away, and complains of nothing else', async () => {
    const complaints: unknown[][] = [];
    const closed = await gatewayBench({ AUTOMATIONS_URL: 'http://127.0.0.1:1' });
    closed.app.get(Logger).error = (...words: unknown[]) => void complaints.push(words);
    expect((await closed.call('/rest/v1/automations')).status).toBe(503);
    expect((await closed.call('/rest/v1/nothing')).status).toBe(404);
    await closed.dispose();
    expect(complaints.map((words) => words[1])).toEqual(['service cannot be reached']);
  });

  it('answers a broken address with a refusal, not with a failure', async () => {
    for (const address of ['/%', '/a%00b', '/rest/v1/%zz']) expect((await own.call(address)).status).toBeLessThan(500);
  });
});

describe('a token', () => {
  let own: GatewayBench;
  beforeAll(async () => {
    own = await gatewayBench();
  });
  beforeEach(() => own.reset());
  afterAll(() => own.dispose());

  const status = async (bearer: string) => {
    const answer = await own.call('/rest/v1/automations', { headers: { authorization: `Bearer ${bearer}` } });
    return [answer.status, answer.body?.['code'] ?? null];
  };
  const segment = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

  it('that somebody made by another algorithm, or by none, is refused', async () => {
    living(own);
    const payload = { iss: issuer, aud: 'authenticated', sub: randomUUID(), role: 'authenticated', session_id: alive, exp: 9_999_999_999 };
    const none = `${segment({ alg: 'none', typ: 'JWT' })}.${segment(payload)}.`;
    const signed = `${segment({ alg: 'HS256', kid: 'k1' })}.${segment(payload)}`;
    const hmac = (key: string) => `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
    for (const bearer of [none, hmac(JSON.stringify(own.jwk)), hmac(publishableKey)])
      expect(await status(bearer)).toEqual([401, 'PGRST301']);
    expect(own.services.automations.seen).toEqual([]);
  });

  it('of another issuer, audience, role or form is refused', async () => {
    for (const claims of [
      { iss: 'https://evil.example/auth/v1' },
      { aud: 'other' },
      { role: 'service_role' },
      { sub: 'not-a-uuid' },
      { session_id: null },
    ])
      expect(await status(await own.token({ claims }))).toEqual([401, 'PGRST301']);
    expect(own.services.automations.seen).toEqual([]);
  });

  it('is taken until 30 seconds after its end, for clocks differ', async () => {
    expect(await status(await own.token({ expires: '-10s' }))).toEqual([200, null]);
    expect(await status(await own.token({ expires: '-45s' }))).toEqual([401, 'PGRST303']);
  });

  it('is a person’s only while the session lives', async () => {
    const session = randomUUID();
    let now = 1_000_000;
    const verifier = new TokenVerifier({ identityUrl: own.services.identity.url, issuer, now: () => now });
    const bearer = await own.token({ session });
    expect(await verifier.verify(bearer)).toMatchObject({ ok: true });
    own.living.delete(session);
    now += 5_001;
    expect(await verifier.verify(bearer)).toEqual({ ok: false, reason: 'ended' });
  });

  it('asks identity once for many requests at once', async () => {
    const bearer = await own.token();
    await Promise.all(Array.from({ length: 20 }, () => status(bearer)));
    expect(own.services.identity.seen.filter(({ url }) => url.startsWith('/internal/'))).toHaveLength(1);
  });

  it('makes the caller: who, with which roles, and nothing that the client says', async () => {
    const user = randomUUID();
    const bearer = await own.token({ user, claims: { app_metadata: { roles: ['admin_master'] }, user_metadata: { roles: ['root'] } } });
    await own.call('/rest/v1/automations', {
      headers: { authorization: `Bearer ${bearer}`, 'X-Decola-Caller': 'x', 'x-decola-anything': 'y', cookie: 'a=b' },
    });
    const headers = own.services.automations.seen[0]?.headers ?? {};
    expect(readCaller(headers['x-decola-caller'], testSigningKey)).toMatchObject({ userId: user, roles: ['admin_master'] });
    expect([headers['x-decola-anything'], headers.cookie, headers.authorization, headers['apikey']]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('that cannot be checked now is neither refused nor taken for nobody’s', async () => {
    const bearer = await own.token({ lives: false });
    const { answer } = own.services.identity;
    own.services.identity.answer = (seen) => (seen.url.startsWith('/internal/') ? { status: 500 } : answer(seen));
    expect(await status(bearer)).toEqual([503, 'PGRST002']);
    own.services.identity.answer = answer;
    expect(own.services.automations.seen).toEqual([]);
  });

  it('is not called wrong because identity cannot show its keys', async () => {
    const bearer = await own.token();
    const { identity } = own.services;
    const { answer } = identity;
    for (const trouble of [{ status: 503, body: 'later' }, { body: '<html>' }, { body: '{}' }]) {
      identity.answer = (seen) => (seen.url.includes('jwks') ? trouble : answer(seen));
      const verifier = new TokenVerifier({ identityUrl: identity.url, issuer });
      expect(await verifier.verify(bearer)).toEqual({ ok: false, reason: 'unknown' });
    }
    identity.answer = answer;
    const closed = new TokenVerifier({ identityUrl: 'http://127.0.0.1:1', issuer });
    expect(await closed.verify(bearer)).toEqual({ ok: false, reason: 'unknown' });
    for (const broken of ['', 'abc', 'a.b.c', `${bearer}x`]) {
      expect(await new TokenVerifier({ identityUrl: identity.url, issuer }).verify(broken)).toEqual({ ok: false, reason: 'invalid' });
    }
  });

  const alive = randomUUID();
  const living = (bench: GatewayBench) => bench.living.add(alive);
});

describe('limits', () => {
  let own: GatewayBench;
  beforeAll(async () => {
    own = await gatewayBench({
      RATE_LIMIT_USER_REQUESTS_PER_MINUTE: '3',
      RATE_LIMIT_AUTH_PER_5_MINUTES: '2',
      RATE_LIMIT_WEBHOOK_FAILURES_PER_MINUTE: '2',
      TRUST_PROXY: 'true',
      UPSTREAM_TIMEOUT_MS: '500',
    });
  });
  beforeEach(() => own.reset());
  afterAll(() => own.dispose());

  const from = (address: string) => ({ 'x-forwarded-for': `6.6.6.6, ${address}` });

  it('of a person hold wherever they call from', async () => {
    const bearer = await own.token();
    const statuses = [];
    for (const address of ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4']) {
      const answer = await own.call('/rest/v1/automations', { headers: { ...from(address), authorization: `Bearer ${bearer}` } });
      statuses.push(answer.status);
      if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(
      (await own.call('/rest/v1/automations', { headers: { ...from('10.0.0.4'), authorization: `Bearer ${await own.token()}` } })).status,
    ).toBe(200);
  });

  it('of auth/v1 are told in the form that the client asked for; what a client claims to be its address counts for nothing', async () => {
    const call = (address: string, headers: Record<string, string> = {}) =>
      own.call('/auth/v1/token?grant_type=password', { method: 'POST', headers: { ...headers, 'x-forwarded-for': address } });
    for (const claimed of ['1.1.1.1', '2.2.2.2']) expect((await call(`${claimed}, 10.1.0.1`)).status).toBe(200);
    const refused = await call('3.3.3.3, 10.1.0.1', { 'x-supabase-api-version': '2024-01-01' });
    expect(refused).toMatchObject({ status: 429, body: { code: 'over_request_rate_limit' } });
    expect(refused.headers.get('x-supabase-api-version')).toBe('2024-01-01');
    expect(await call('4.4.4.4, 10.1.0.1')).toMatchObject({ status: 429, body: { code: 429, error_code: 'over_request_rate_limit' } });
    expect((await call('10.1.0.2')).status).toBe(200);
    expect(own.services.identity.seen.at(-1)?.headers['x-decola-client-ip']).toBe('10.1.0.2');
  });

  it('of an address are those of its IPv6 network, in whichever form it is written; services still hear which address it was', async () => {
    const call = async (address: string) =>
      (await own.call('/auth/v1/token?grant_type=password', { method: 'POST', headers: from(address) })).status;
    expect(await call('2001:db8:0:7::1')).toBe(200);
    expect(await call('2001:db8:0:7:1234:5678:9abc:def0')).toBe(200);
    expect(own.services.identity.seen.at(-1)?.headers['x-decola-client-ip']).toBe('2001:db8:0:7:1234:5678:9abc:def0');
    expect(await call('2001:DB8:0:7::2')).toBe(429);
    expect(await call('2001:db8:0:8::1')).toBe(200);
    for (const address of ['10.5.0.1', '::ffff:10.5.0.1']) expect(await call(address)).toBe(200);
    expect(await call('10.5.0.1')).toBe(429);
    own.services.billing.answer = () => ({ status: 400, body: '{"error":{"message":"bad signature"}}' });
    const statuses = [];
    for (const last of [1, 2, 3])
      statuses.push((await own.call('/webhooks/stripe', { method: 'POST', body: '{}', headers: from(`2001:db8:0:9::${last}`) })).status);
    expect(statuses).toEqual([400, 400, 429]);
  });

  it('of auth/v1 are each endpoint’s own, by address, and configurable', async () => {
    const bench = await gatewayBench({
      RATE_LIMIT_TOKEN_PER_5_MINUTES: '20',
      RATE_LIMIT_VERIFY_PER_5_MINUTES: '3',
      RATE_LIMIT_ACCOUNT_PER_5_MINUTES: '2',
      TRUST_PROXY: 'true',
    });
    try {
      const allowed = async (method: string, path: string, address: string) => {
        for (let count = 0; count < 10; count++) {
          const answer = await bench.call(`/auth/v1/${path}`, {
            method,
            headers: { ...from(address), 'x-supabase-api-version': '2024-01-01' },
          });
          if (answer.status !== 200) {
            expect(answer).toMatchObject({ status: 429, body: { code: 'over_request_rate_limit', message: 'Request rate limit reached' } });
            expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
            return count;
          }
        }
        return null;
      };
      // 20 in five minutes are 4 in one.
      expect(await allowed('POST', 'token?grant_type=password', '10.4.0.1')).toBe(4);
      expect(await allowed('POST', '%74oken?grant_type=refresh_token', '10.4.0.1')).toBe(0);
      expect(await allowed('POST', 'verify', '10.4.0.1')).toBe(3);
      expect(await allowed('GET', 'verify?token=x', '10.4.0.1')).toBe(0);
      for (const path of ['signup', 'otp', 'recover', 'resend']) expect(await allowed('POST', path, '10.4.0.1')).toBe(2);
      expect(await allowed('PUT', 'user', '10.4.0.1')).toBe(2);
      // What has no limit of its own goes on, and so does everybody else.
      expect(await allowed('GET', 'user', '10.4.0.1')).toBeNull();
      expect(await allowed('POST', 'signup', '10.4.0.2')).toBe(2);
    } finally {
      await bench.dispose();
    }
  });

  it('stop an address that sends forged webhooks, and never one whose webhooks are good', async () => {
    const post = (address: string) => own.call('/webhooks/stripe', { method: 'POST', body: '{}', headers: from(address) });
    own.services.billing.answer = () => ({ status: 400, body: '{"error":{"message":"bad signature"}}' });
    const statuses = [];
    for (let count = 0; count < 4; count++) statuses.push((await post('10.2.0.1')).status);
    expect(statuses).toEqual([400, 400, 429, 429]);
    own.services.billing.answer = () => ({ body: '{"received":true}' });
    for (let count = 0; count < 6; count++) expect((await post('10.2.0.2')).status).toBe(200);
  });

  it('of a service’s silence end in the form of each API', async () => {
    own.services.blog.answer = () => ({ silent: true });
    expect(await own.call('/rest/v1/blog_articles', { headers: from('10.3.0.1') })).toMatchObject({
      status: 504,
      body: { code: 'PGRST003' },
    });
    const answer = await own.call('/functions/v1/test-webhook', { method: 'POST', headers: from('10.3.0.1') });
    expect([answer.status, answer.headers.get('x-relay-error')]).toEqual([504, 'true']);
    own.services.blog.answer = () => ({});
  }, 15_000);
});

describe('without Redis', () => {
  it('requests are counted all the same', async () => {
    const own = await gatewayBench({ REDIS_URL: 'redis://127.0.0.1:9', RATE_LIMIT_REQUESTS_PER_MINUTE: '2' });
    try {
      const statuses = [];
      for (let count = 0; count < 3; count++) statuses.push((await own.call('/rest/v1/automations')).status);
      expect(statuses).toEqual([200, 200, 429]);
    } finally {
      await own.dispose();
    }
  });
});
