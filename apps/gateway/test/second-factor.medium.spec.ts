import { randomUUID } from 'node:crypto';
import { gatewayBench, type GatewayBench } from './support.js';

describe('a session whose second factor was not verified', () => {
  let bench: GatewayBench;
  const states = new Map<string, { secondFactor: boolean; secondFactorPending: boolean }>();
  let checks = 0;

  beforeAll(async () => {
    bench = await gatewayBench();
    const { answer } = bench.services.identity;
    bench.services.identity.answer = (seen) => {
      const state = states.get(seen.url.split('/').pop() ?? '');
      if (!state) return answer(seen);
      checks += 1;
      return { body: JSON.stringify({ active: true, ...state }) };
    };
  });
  afterAll(() => bench?.dispose());
  beforeEach(() => {
    bench.reset();
    checks = 0;
  });

  const sessionIn = async (state: { secondFactor: boolean; secondFactorPending: boolean }, aal: 'aal1' | 'aal2') => {
    const session = randomUUID();
    states.set(session, state);
    const tokenOf = async (level: 'aal1' | 'aal2') => ({
      authorization: `Bearer ${await bench.token({ session, claims: { aal: level } })}`,
    });
    return { session, tokenOf, headers: await tokenOf(aal) };
  };
  const pending = { secondFactor: true, secondFactorPending: true };
  const shown = { secondFactor: true, secondFactorPending: false };
  const message = 'Confirme o código do seu aplicativo autenticador para continuar.';

  it.each([
    ['GET', '/rest/v1/profiles', { code: 'insufficient_aal', message, details: null, hint: null }],
    ['POST', '/rest/v1/automations', { code: 'insufficient_aal', message, details: null, hint: null }],
    ['POST', '/rest/v1/rpc/get_available_slots', { code: 'insufficient_aal', message, details: null, hint: null }],
    ['POST', '/functions/v1/check-subscription', { error: message, code: 'insufficient_aal' }],
    ['POST', '/functions/v1/delete-account', { error: message, code: 'insufficient_aal' }],
    ['POST', '/storage/v1/object/sign/extractions/a.csv', { statusCode: '403', error: 'Forbidden', code: 'insufficient_aal', message }],
  ])('is refused at %s %s in the error format of the API', async (method, path, body) => {
    const { headers } = await sessionIn(pending, 'aal1');
    const answer = await bench.call(path, { method, headers });
    expect(answer).toMatchObject({ status: 403, body });
    expect(answer.headers.get('access-control-allow-origin')).not.toBeNull();
    for (const { seen } of Object.values(bench.services)) expect(seen.filter(({ url }) => url.startsWith(path))).toEqual([]);
  });

  it('may try 30 codes from one address, which limits nothing else', async () => {
    const own = await gatewayBench({ RATE_LIMIT_MFA_PER_2_MINUTES: '30' });
    try {
      const post = (path: string) => own.call(path, { method: 'POST', headers: { 'x-supabase-api-version': '2024-01-01' }, body: '{}' });
      const tries = await Promise.all(
        Array.from({ length: 32 }, (_, each) => post(`/auth/v1/factors/${randomUUID()}/${each % 2 ? 'challenge' : 'verify'}`)),
      );
      expect(tries.filter(({ status }) => status === 200)).toHaveLength(30);
      expect(tries.find(({ status }) => status !== 200)).toMatchObject({ status: 429, body: { code: 'over_request_rate_limit' } });
      expect((await post('/auth/v1/factors')).status).toBe(200);
      expect((await post('/auth/v1/token?grant_type=password')).status).toBe(200);
    } finally {
      await own.dispose();
    }
  });

  it('may use auth/v1, where the factor is verified', async () => {
    const { headers } = await sessionIn(pending, 'aal1');
    expect((await bench.call(`/auth/v1/factors/${randomUUID()}/challenge`, { method: 'POST', headers })).status).toBe(200);
    expect((await bench.call('/auth/v1/user', { headers })).status).toBe(200);
  });

  it('is accepted right after the code, but only with the new token', async () => {
    const { session, headers, tokenOf } = await sessionIn(pending, 'aal1');
    expect((await bench.call('/rest/v1/profiles', { headers })).status).toBe(403);
    states.set(session, shown);
    expect((await bench.call('/rest/v1/profiles', { headers: await tokenOf('aal2') })).status).toBe(200);
    // The token from before the code stays refused.
    expect((await bench.call('/rest/v1/profiles', { headers })).status).toBe(403);
  });

  it('is also refused with a token of aal2 for a removed factor, when the person has another factor', async () => {
    const { headers } = await sessionIn(pending, 'aal2');
    expect((await bench.call('/rest/v1/profiles', { headers })).status).toBe(403);
  });

  it('is checked once per session for people without a second factor and for those who verified it', async () => {
    for (const { headers } of [
      await sessionIn({ secondFactor: false, secondFactorPending: false }, 'aal1'),
      await sessionIn(shown, 'aal2'),
    ]) {
      checks = 0;
      for (let each = 0; each < 3; each += 1) expect((await bench.call('/rest/v1/profiles', { headers })).status).toBe(200);
      expect(checks).toBe(1);
    }
  });
});
