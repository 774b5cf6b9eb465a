import { randomUUID } from 'node:crypto';
import { gatewayBench, type GatewayBench } from './support.js';

describe('a session without the second factor that its person has', () => {
  let bench: GatewayBench;
  const states = new Map<string, { secondFactor: boolean; secondFactorPending: boolean }>();
  let questions = 0;

  beforeAll(async () => {
    bench = await gatewayBench();
    const { answer } = bench.services.identity;
    bench.services.identity.answer = (seen) => {
      const state = states.get(seen.url.split('/').pop() ?? '');
      if (!state) return answer(seen);
      questions += 1;
      return { body: JSON.stringify({ active: true, ...state }) };
    };
  });
  afterAll(() => bench.dispose());
  beforeEach(() => {
    bench.reset();
    questions = 0;
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
  ])('is refused at %s %s in the form of the API', async (method, path, body) => {
    const { headers } = await sessionIn(pending, 'aal1');
    const answer = await bench.call(path, { method, headers });
    expect(answer).toMatchObject({ status: 403, body });
    expect(answer.headers.get('access-control-allow-origin')).not.toBeNull();
    for (const { seen } of Object.values(bench.services)) expect(seen.filter(({ url }) => url.startsWith(path))).toEqual([]);
  });

  it('tries codes 30 times from one address, and does everything else on', async () => {
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

  it('may go on at auth/v1, where the factor is shown', async () => {
    const { headers } = await sessionIn(pending, 'aal1');
    expect((await bench.call(`/auth/v1/factors/${randomUUID()}/challenge`, { method: 'POST', headers })).status).toBe(200);
    expect((await bench.call('/auth/v1/user', { headers })).status).toBe(200);
  });

  it('is let in the moment after the code, and by the new token alone', async () => {
    const { session, headers, tokenOf } = await sessionIn(pending, 'aal1');
    expect((await bench.call('/rest/v1/profiles', { headers })).status).toBe(403);
    states.set(session, shown);
    expect((await bench.call('/rest/v1/profiles', { headers: await tokenOf('aal2') })).status).toBe(200);
    // A token of before, in whoever's hands.
    expect((await bench.call('/rest/v1/profiles', { headers })).status).toBe(403);
  });

  it('is refused also with a token of aal2 from before its factor was removed, when the person has another one', async () => {
    const { headers } = await sessionIn(pending, 'aal2');
    expect((await bench.call('/rest/v1/profiles', { headers })).status).toBe(403);
  });

  it('is what is refused: people without a second factor, and those who showed it, are asked about once', async () => {
    for (const { headers } of [
      await sessionIn({ secondFactor: false, secondFactorPending: false }, 'aal1'),
      await sessionIn(shown, 'aal2'),
    ]) {
      questions = 0;
      for (let each = 0; each < 3; each += 1) expect((await bench.call('/rest/v1/profiles', { headers })).status).toBe(200);
      expect(questions).toBe(1);
    }
  });
});
