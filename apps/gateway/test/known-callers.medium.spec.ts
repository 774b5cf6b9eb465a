import { randomUUID } from 'node:crypto';
import { RateLimits } from '../src/limits/rate-limits.js';
import { ServiceAgent } from '../src/proxy/service-agent.js';
import { TokenVerifier } from '../src/tokens/token-verifier.js';
import { gatewayBench, type GatewayBench, issuer, publishableKey } from './support.js';

describe('a person whose token was verified before', () => {
  const agent = new ServiceAgent({ headersTimeoutMs: 10_000 });
  let own: GatewayBench;
  let now: number;
  let verifier: TokenVerifier;

  beforeAll(async () => {
    own = await gatewayBench();
  });
  beforeEach(() => {
    own.reset();
    now = 1_000_000;
    verifier = new TokenVerifier({ agent, identityUrl: own.services.identity.url, issuer, now: () => now });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => Promise.all([own?.dispose(), agent.close()]));

  /** The first verification fetches the keys, and is not remembered: it began before they came. */
  const known = async (token: string) => {
    await verifier.verify(await own.token());
    expect(await verifier.verify(token)).toMatchObject({ ok: true });
    expect(verifier.known(token)).toBeDefined();
  };
  const otherSignature = (token: string) => {
    const [header, payload, signature] = token.split('.') as [string, string, string];
    return `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
  };

  it('is known without another verification, as the same caller', async () => {
    const token = await own.token();
    await known(token);
    const verify = jest.spyOn(crypto.subtle, 'verify');
    const verdict = await verifier.verify(token);
    expect(verdict).toEqual({ ok: true, caller: verifier.known(token) });
    expect(verify).not.toHaveBeenCalled();
    expect(await verifier.verify(otherSignature(token))).toEqual({ ok: false, reason: 'invalid' });
    expect(verify).toHaveBeenCalledTimes(1);
  });

  it('is refused within five seconds after the session ended, although the signature is known', async () => {
    const session = randomUUID();
    const token = await own.token({ session });
    await known(token);
    own.living.delete(session);
    now += 4_999;
    expect(verifier.known(token)).toBeDefined();
    now += 2;
    expect(verifier.known(token)).toBeUndefined();
    expect(await verifier.verify(token)).toEqual({ ok: false, reason: 'ended' });
    expect(verifier.known(token)).toBeUndefined();
  });

  it('is nobody by another signature of the same payload, however often the right one was accepted', async () => {
    const token = await own.token();
    const status = async (bearer: string) =>
      (await own.call('/rest/v1/automations', { headers: { authorization: `Bearer ${bearer}` } })).status;
    for (let time = 0; time < 3; time += 1) {
      expect(await status(token)).toBe(200);
      expect(await status(otherSignature(token))).toBe(401);
      expect(await status(token.slice(0, token.lastIndexOf('.') + 1))).toBe(401);
    }
    expect(own.services.automations.seen).toHaveLength(3);
  });

  it('needs the API key like everybody', async () => {
    const headers = { authorization: `Bearer ${await own.token()}` };
    const read = (apikey: string) => own.call('/rest/v1/automations', { headers: { ...headers, apikey } });
    for (let time = 0; time < 3; time += 1) {
      expect((await read(publishableKey)).status).toBe(200);
      expect((await read('sb_publishable_wrong')).status).toBe(401);
      expect((await read('')).status).toBe(401);
    }
  });

  it('is verified again when identity may have withdrawn the key', async () => {
    const token = await own.token();
    await known(token);
    // A token that names an unknown key has the keys fetched again.
    const [, payload, signature] = token.split('.');
    const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid: 'k2' })).toString('base64url');
    const { answer } = own.services.identity;
    own.services.identity.answer = (seen) => (seen.url.includes('jwks') ? { body: '{"keys":[]}' } : answer(seen));
    try {
      expect(await verifier.verify(`${header}.${payload}.${signature}`)).toEqual({ ok: false, reason: 'invalid' });
      expect(verifier.known(token)).toBeUndefined();
      expect(await verifier.verify(token)).toEqual({ ok: false, reason: 'invalid' });
    } finally {
      own.services.identity.answer = answer;
    }
  });

  it('costs one trip to Redis: address and person are counted together, unless something else has to be asked', async () => {
    const [apart, together] = [jest.spyOn(RateLimits.prototype, 'countUserRequest'), jest.spyOn(RateLimits.prototype, 'countRequestOf')];
    const headers = { authorization: `Bearer ${await own.token()}` };
    for (let time = 0; time < 20; time += 1) expect((await own.call('/rest/v1/automations', { headers })).status).toBe(200);
    const asked = own.services.identity.seen.filter(({ url }) => url.startsWith('/internal/sessions/')).length;
    expect(apart).toHaveBeenCalledTimes(asked);
    expect(together.mock.calls.length).toBe(20 - asked);
    expect(asked).toBeLessThan(20);
  });

  it('waits for both limits, as everybody', async () => {
    const strict = await gatewayBench({ RATE_LIMIT_USER_REQUESTS_PER_MINUTE: '4', RATE_LIMIT_REQUESTS_PER_MINUTE: '8' });
    try {
      const [ana, bia] = await Promise.all([strict.token(), strict.token()]);
      const status = async (bearer: string) =>
        (await strict.call('/rest/v1/automations', { headers: { authorization: `Bearer ${bearer}` } })).status;
      const times = async (count: number, bearer: string) => {
        const statuses: number[] = [];
        for (let time = 0; time < count; time += 1) statuses.push(await status(bearer));
        return statuses;
      };
      expect(await times(5, ana)).toEqual([200, 200, 200, 200, 429]);
      // Eight requests of the address, of whomever; the ninth has to wait.
      expect(await times(4, bia)).toEqual([200, 200, 200, 429]);
      expect(strict.services.automations.seen).toHaveLength(7);
    } finally {
      await strict.dispose();
    }
  });
});
