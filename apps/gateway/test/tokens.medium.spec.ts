import { createHmac, randomUUID } from 'node:crypto';
import { readCaller } from '@decola/service-kit';
import { testSigningKey } from '@decola/testing';
import { ServiceAgent } from '../src/proxy/service-agent.js';
import { TokenVerifier } from '../src/tokens/token-verifier.js';
import { gatewayBench, type GatewayBench, issuer, publishableKey } from './support.js';

describe('an access token', () => {
  const agent = new ServiceAgent({ headersTimeoutMs: 10_000 });
  let own: GatewayBench;
  beforeAll(async () => {
    own = await gatewayBench();
  });
  beforeEach(() => own.reset());
  afterAll(() => Promise.all([own?.dispose(), agent.close()]));

  const status = async (bearer: string) => {
    const answer = await own.call('/rest/v1/automations', { headers: { authorization: `Bearer ${bearer}` } });
    return [answer.status, answer.body?.['code'] ?? null];
  };
  const segment = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

  it('that is signed with another algorithm, or not at all, is refused', async () => {
    living(own);
    const payload = { iss: issuer, aud: 'authenticated', sub: randomUUID(), role: 'authenticated', session_id: alive, exp: 9_999_999_999 };
    const none = `${segment({ alg: 'none', typ: 'JWT' })}.${segment(payload)}.`;
    const signed = `${segment({ alg: 'HS256', kid: 'k1' })}.${segment(payload)}`;
    const hmac = (key: string) => `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
    for (const bearer of [none, hmac(JSON.stringify(own.jwk)), hmac(publishableKey)])
      expect(await status(bearer)).toEqual([401, 'PGRST301']);
    expect(own.services.automations.seen).toEqual([]);
  });

  it('with another issuer, audience, role or format is refused', async () => {
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

  it('is accepted until 30 seconds after it expired, since clocks differ', async () => {
    expect(await status(await own.token({ expires: '-10s' }))).toEqual([200, null]);
    expect(await status(await own.token({ expires: '-45s' }))).toEqual([401, 'PGRST303']);
  });

  it('is refused when its session has ended', async () => {
    const session = randomUUID();
    let now = 1_000_000;
    const verifier = new TokenVerifier({ agent, identityUrl: own.services.identity.url, issuer, now: () => now });
    const bearer = await own.token({ session });
    expect(await verifier.verify(bearer)).toMatchObject({ ok: true });
    own.living.delete(session);
    now += 5_001;
    expect(await verifier.verify(bearer)).toEqual({ ok: false, reason: 'ended' });
  });

  it('makes one request to identity for many concurrent requests', async () => {
    const bearer = await own.token();
    await Promise.all(Array.from({ length: 20 }, () => status(bearer)));
    expect(own.services.identity.seen.filter(({ url }) => url.startsWith('/internal/'))).toHaveLength(1);
  });

  it('determines the caller and the roles; what the client claims in headers is dropped', async () => {
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

  it('that cannot be checked now is answered with 503, not as invalid or anonymous', async () => {
    const bearer = await own.token({ lives: false });
    const { answer } = own.services.identity;
    own.services.identity.answer = (seen) => (seen.url.startsWith('/internal/') ? { status: 500 } : answer(seen));
    expect(await status(bearer)).toEqual([503, 'PGRST002']);
    own.services.identity.answer = answer;
    expect(own.services.automations.seen).toEqual([]);
  });

  it('is not reported as invalid when identity cannot send its keys', async () => {
    const bearer = await own.token();
    const { identity } = own.services;
    const { answer } = identity;
    for (const trouble of [{ status: 503, body: 'later' }, { body: '<html>' }, { body: '{}' }]) {
      identity.answer = (seen) => (seen.url.includes('jwks') ? trouble : answer(seen));
      const verifier = new TokenVerifier({ agent, identityUrl: identity.url, issuer });
      expect(await verifier.verify(bearer)).toEqual({ ok: false, reason: 'unknown' });
    }
    identity.answer = answer;
    const closed = new TokenVerifier({ agent, identityUrl: 'http://127.0.0.1:1', issuer });
    expect(await closed.verify(bearer)).toEqual({ ok: false, reason: 'unknown' });
    for (const broken of ['', 'abc', 'a.b.c', `${bearer}x`]) {
      expect(await new TokenVerifier({ agent, identityUrl: identity.url, issuer }).verify(broken)).toEqual({
        ok: false,
        reason: 'invalid',
      });
    }
  });

  const alive = randomUUID();
  const living = (bench: GatewayBench) => bench.living.add(alive);
});
