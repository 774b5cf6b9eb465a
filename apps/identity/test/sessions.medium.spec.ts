import { decodeJwt } from 'jose';
import { type IdentityUnderTest, refresh, signUp, startIdentity, strongPassword } from './support.js';

describe('sessions, through the published client', () => {
  let identity: IdentityUnderTest;

  beforeAll(async () => {
    identity = await startIdentity();
  });
  afterAll(() => identity?.stop());

  it('rotates refresh tokens, and repeats an answer that was lost', async () => {
    const { session } = await signUp(identity);
    const first = await refresh(identity, session.refresh_token);
    expect(first.status).toBe(200);
    expect(first.body['refresh_token']).not.toBe(session.refresh_token);
    expect(decodeJwt(String(first.body['access_token']))['session_id']).toBe(decodeJwt(session.access_token)['session_id']);
    // The token just before the active one: the client lost the answer and gets it again.
    expect((await refresh(identity, session.refresh_token)).body['refresh_token']).toBe(first.body['refresh_token']);
  });

  it('lets 20 tabs refresh at once without ending the session', async () => {
    const { session } = await signUp(identity);
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(identity, session.refresh_token)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const tokens = new Set(answers.map(({ body }) => body['refresh_token']));
    expect(tokens.size).toBe(1);
    expect((await refresh(identity, [...tokens][0] as string)).status).toBe(200);
  });

  it('ends the session of a reused token at once and for good', async () => {
    const strict = await startIdentity({ REFRESH_REUSE_SECONDS: '0' });
    try {
      const client = strict.client();
      const { data } = await client.auth.signUp({ email: 'roubo@example.com', password: strongPassword });
      const use = async (token: string) => {
        const answer = await fetch(`${strict.url}/auth/v1/token?grant_type=refresh_token`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01' },
          body: JSON.stringify({ refresh_token: token }),
        });
        return (await answer.json()) as { refresh_token: string; access_token: string; code?: string };
      };
      const stolen = data.session!.refresh_token;
      const second = await use(stolen);
      const third = await use(second.refresh_token);
      expect((await use(stolen)).code).toBe('refresh_token_already_used');
      expect((await use(third.refresh_token)).code).toBe('refresh_token_not_found');
      expect((await client.auth.getUser(third.access_token)).error).toMatchObject({ name: 'AuthSessionMissingError' });
    } finally {
      await strict.stop();
    }
  });

  it('refuses forged refresh tokens', async () => {
    const { session } = await signUp(identity);
    expect((await refresh(identity, 'x')).body).toMatchObject({ code: 'validation_failed', message: 'Refresh token is not valid' });
    const forged = `${session.refresh_token.slice(0, -2)}${session.refresh_token.endsWith('AA') ? 'BB' : 'AA'}`;
    expect((await refresh(identity, forged)).body).toMatchObject({ code: 'refresh_token_not_found' });
  });

  it('ends sessions by scope: others, local, global', async () => {
    const { client, email } = await signUp(identity);
    const others = await Promise.all(
      [1, 2].map(async () => (await identity.client().auth.signInWithPassword({ email, password: strongPassword })).data.session!),
    );
    const isAlive = async (token: string) => (await identity.client().auth.getUser(token)).error === null;
    await client.auth.signOut({ scope: 'others' });
    expect(await Promise.all(others.map(({ access_token }) => isAlive(access_token)))).toEqual([false, false]);
    const current = (await client.auth.getSession()).data.session!;
    expect(await isAlive(current.access_token)).toBe(true);
    const sessionId = String(decodeJwt(current.access_token)['session_id']);
    expect((await fetch(`${identity.url}/internal/sessions/${sessionId}`)).status).toBe(200);
    expect((await client.auth.signOut({ scope: 'global' })).error).toBeNull();
    expect(await isAlive(current.access_token)).toBe(false);
    expect((await fetch(`${identity.url}/internal/sessions/${sessionId}`)).status).toBe(404);
  });

  it('answers access tokens by the table of the contract', async () => {
    const { session } = await signUp(identity);
    const ask = async (authorization?: string) => {
      const answer = await fetch(`${identity.url}/auth/v1/user`, {
        headers: { 'x-supabase-api-version': '2024-01-01', ...(authorization ? { authorization } : {}) },
      });
      return [answer.status, ((await answer.json()) as { code: string }).code];
    };
    expect(await ask()).toEqual([401, 'no_authorization']);
    expect(await ask('Bearer public-key')).toEqual([403, 'bad_jwt']);
    expect(await ask(`Bearer ${session.access_token}x`)).toEqual([403, 'bad_jwt']);
    const [head, body] = session.access_token.split('.');
    expect(await ask(`Bearer ${Buffer.from('{"alg":"none","kid":"k1"}').toString('base64url')}.${body}.`)).toEqual([403, 'bad_jwt']);
    expect(await ask(`Bearer ${head}.${body}.`)).toEqual([403, 'bad_jwt']);
  });
});
