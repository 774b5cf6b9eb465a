import { gatewayBench, type GatewayBench } from './support.js';

describe('rate limits', () => {
  let own: GatewayBench;
  beforeAll(async () => {
    own = await gatewayBench({
      RATE_LIMIT_USER_REQUESTS_PER_MINUTE: '3',
      RATE_LIMIT_AUTH_PER_5_MINUTES: '2',
      RATE_LIMIT_WEBHOOK_FAILURES_PER_MINUTE: '2',
      TRUST_PROXY: 'true',
      UPSTREAM_TIMEOUT_MS: '500',
      ARTICLE_TIMEOUT_MS: '2000',
    });
  });
  beforeEach(() => own.reset());
  afterAll(() => own?.dispose());

  const from = (address: string) => ({ 'x-forwarded-for': `6.6.6.6, ${address}` });

  it('of a person hold from every address', async () => {
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

  it('of auth/v1 are reported in the format that the client asked for, and ignore addresses that the client claims', async () => {
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

  it('of an IPv6 address hold for its network, in every notation; services still get the whole address', async () => {
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

  it('of auth/v1 hold per endpoint and address, and are configurable', async () => {
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
      // 20 in five minutes are enforced as 4 per minute.
      expect(await allowed('POST', 'token?grant_type=password', '10.4.0.1')).toBe(4);
      expect(await allowed('POST', '%74oken?grant_type=refresh_token', '10.4.0.1')).toBe(0);
      expect(await allowed('POST', 'verify', '10.4.0.1')).toBe(3);
      expect(await allowed('GET', 'verify?token=x', '10.4.0.1')).toBe(0);
      for (const path of ['signup', 'otp', 'recover', 'resend']) expect(await allowed('POST', path, '10.4.0.1')).toBe(2);
      expect(await allowed('PUT', 'user', '10.4.0.1')).toBe(2);
      // Endpoints without their own limit, and other addresses, are not affected.
      expect(await allowed('GET', 'user', '10.4.0.1')).toBeNull();
      expect(await allowed('POST', 'signup', '10.4.0.2')).toBe(2);
    } finally {
      await bench.dispose();
    }
  });

  it('stop an address whose sites sign wrongly, and forward other requests of sites to blog with the bytes that are signed', async () => {
    const body = '{"type":"pickup",  "data":{}}';
    const post = (address: string) =>
      own.call('/webhooks/wordpress', { method: 'POST', body, headers: { ...from(address), 'webhook-signature': 'v1,x' } });
    for (const _ of [1, 2, 3]) expect((await post('10.4.0.1')).status).toBe(200);
    const [seen] = own.services.blog.seen;
    expect([seen?.url, seen?.body.toString(), seen?.headers['webhook-signature']]).toEqual(['/webhooks/wordpress', body, 'v1,x']);
    own.services.blog.answer = () => ({ status: 401 });
    expect([(await post('10.4.0.2')).status, (await post('10.4.0.2')).status, (await post('10.4.0.2')).status]).toEqual([401, 401, 429]);
    expect((await post('10.4.0.3')).status).toBe(401);
    expect((await own.call('/webhooks/wordpress')).status).toBe(404);
    const tooLong = await own.call('/webhooks/wordpress', { method: 'POST', body: 'x'.repeat(512 * 1024 + 1), headers: from('10.4.0.4') });
    expect(tooLong.status).toBe(413);
  });

  it('stop an address that sends invalid webhooks, never one whose webhooks are valid', async () => {
    const post = (address: string) => own.call('/webhooks/stripe', { method: 'POST', body: '{}', headers: from(address) });
    own.services.billing.answer = () => ({ status: 400, body: '{"error":{"message":"bad signature"}}' });
    const statuses = [];
    for (let count = 0; count < 4; count++) statuses.push((await post('10.2.0.1')).status);
    expect(statuses).toEqual([400, 400, 429, 429]);
    own.services.billing.answer = () => ({ body: '{"received":true}' });
    for (let count = 0; count < 6; count++) expect((await post('10.2.0.2')).status).toBe(200);
  });

  it('on the time of an answer are longer for the functions of articles', async () => {
    own.services.blog.answer = () => ({ silent: true });
    const ended: string[] = [];
    const waited = async (name: string) => {
      const start = performance.now();
      expect((await own.call(`/functions/v1/${name}`, { method: 'POST', headers: from('10.3.0.2') })).status).toBe(504);
      ended.push(name);
      return performance.now() - start;
    };
    const names = ['generate-blog-articles', 'generate-article-image', 'migrate-blog-images', 'clean-blog-articles'];
    const [, ...ofArticles] = await Promise.all(['test-webhook', ...names].map(waited));
    for (const ms of ofArticles) expect(ms).toBeGreaterThan(1_900);
    // Another function, asked at the same time, is given up first.
    expect(ended[0]).toBe('test-webhook');
    own.services.blog.answer = () => ({});
  });

  it('on the time of an answer are reported in the error format of each API', async () => {
    own.services.blog.answer = () => ({ silent: true });
    expect(await own.call('/rest/v1/blog_articles', { headers: from('10.3.0.1') })).toMatchObject({
      status: 504,
      body: { code: 'PGRST003' },
    });
    const answer = await own.call('/functions/v1/test-webhook', { method: 'POST', headers: from('10.3.0.1') });
    expect([answer.status, answer.headers.get('x-relay-error')]).toEqual([504, 'true']);
    own.services.blog.answer = () => ({});
  });
});

describe('without Redis', () => {
  it('each replica counts by itself', async () => {
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
