import { randomUUID } from 'node:crypto';
import { subscriptionChanged } from '@decola/contracts';
import { collectEvents, eventually, publishTestEvent, testCaller } from '@decola/testing';
import { createClient } from '@supabase/supabase-js';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { DataSource } from 'typeorm';
import { type IdentityUnderTest, startIdentity, strongPassword } from './support.js';

describe('accounts and sessions, through the published client', () => {
  let identity: IdentityUnderTest;

  beforeAll(async () => {
    identity = await startIdentity();
  });
  afterAll(() => identity.stop());

  const freshEmail = () => `${randomUUID().slice(0, 8)}@example.com`;
  const signUp = async (email = freshEmail()) => {
    const client = identity.client();
    const { data, error } = await client.auth.signUp({ email, password: strongPassword, options: { data: { full_name: 'Ana Souza' } } });
    expect(error).toBeNull();
    return { client, email, user: data.user!, session: data.session! };
  };
  const refresh = (token: string) =>
    fetch(`${identity.url}/auth/v1/token?grant_type=refresh_token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json;charset=UTF-8', 'x-supabase-api-version': '2024-01-01' },
      body: JSON.stringify({ refresh_token: token }),
    }).then(async (answer) => ({ status: answer.status, body: (await answer.json()) as Record<string, unknown> }));

  it('signs a person up: session, profile and the event', async () => {
    const heard = await collectEvents(identity.broker.url, 'user.registered');
    const { user, session, email } = await signUp(`Ana.${freshEmail()}`);
    expect(user).toMatchObject({
      email: email.toLowerCase(),
      aud: 'authenticated',
      phone: '',
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { full_name: 'Ana Souza', email_verified: true },
      is_anonymous: false,
    });
    expect(user.identities).toHaveLength(1);
    const { payload } = await jwtVerify(session.access_token, createRemoteJWKSet(new URL(`${identity.url}/auth/v1/.well-known/jwks.json`)));
    expect(payload).toMatchObject({
      iss: 'http://decola.test/auth/v1',
      sub: user.id,
      aud: 'authenticated',
      role: 'authenticated',
      aal: 'aal1',
      is_anonymous: false,
      email: email.toLowerCase(),
    });
    expect(payload.exp! - payload.iat!).toBe(3600);
    await eventually(() =>
      expect(heard.events).toMatchObject([{ subject: user.id, payload: { userId: user.id, email: email.toLowerCase() } }]),
    );
    await heard.dispose();
    const { data } = await identity
      .client(testCaller(user.id))
      .from('profiles')
      .select('full_name,subscription_plans(name,max_slots)')
      .single();
    expect(data).toEqual({ full_name: 'Ana Souza', subscription_plans: null });
  });

  it('refuses a taken address, a weak password and a bad address in the contract’s words', async () => {
    const { email } = await signUp();
    const again = await identity.client().auth.signUp({ email: email.toUpperCase(), password: strongPassword });
    expect(again.error).toMatchObject({ message: 'User already registered', code: 'user_already_exists', status: 422 });
    const weak = await identity.client().auth.signUp({ email: freshEmail(), password: 'abc' });
    expect(weak.error).toMatchObject({ name: 'AuthWeakPasswordError', reasons: ['length', 'characters'] });
    expect((await identity.client().auth.signUp({ email: 'sem-arroba', password: strongPassword })).error).toMatchObject({
      code: 'validation_failed',
      message: 'Unable to validate email address: invalid format',
    });
    expect((await identity.client().auth.signInAnonymously()).error).toMatchObject({ code: 'anonymous_provider_disabled' });
    const both = await Promise.all(
      [1, 2, 3].map(() => identity.client().auth.signUp({ email: 'race@example.com', password: strongPassword })),
    );
    expect(both.filter(({ error }) => error === null)).toHaveLength(1);
    expect(both.filter(({ error }) => error?.code === 'user_already_exists')).toHaveLength(2);
  });

  it('signs in with the right password alone, and says the same for unknown people', async () => {
    const { email } = await signUp();
    expect((await identity.client().auth.signInWithPassword({ email, password: strongPassword })).error).toBeNull();
    const wrong = await identity.client().auth.signInWithPassword({ email, password: 'Errada!123' });
    const unknown = await identity.client().auth.signInWithPassword({ email: freshEmail(), password: 'Errada!123' });
    expect(wrong.error).toMatchObject({ message: 'Invalid login credentials', code: 'invalid_credentials', status: 400 });
    expect(unknown.error).toMatchObject({ message: wrong.error!.message, code: wrong.error!.code, status: wrong.error!.status });
  });

  it('rotates refresh tokens and forgives a lost answer', async () => {
    const { session } = await signUp();
    const first = await refresh(session.refresh_token);
    expect(first.status).toBe(200);
    expect(first.body['refresh_token']).not.toBe(session.refresh_token);
    expect(decodeJwt(String(first.body['access_token']))['session_id']).toBe(decodeJwt(session.access_token)['session_id']);
    // The token just before the active one: the answer was lost, so it comes again.
    expect((await refresh(session.refresh_token)).body['refresh_token']).toBe(first.body['refresh_token']);
  });

  it('lets 20 tabs refresh at once without logging anybody out', async () => {
    const { session } = await signUp();
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(session.refresh_token)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const tokens = new Set(answers.map(({ body }) => body['refresh_token']));
    expect(tokens.size).toBe(1);
    expect((await refresh([...tokens][0] as string)).status).toBe(200);
  });

  it('ends the session of a stolen, reused token, for good and at once', async () => {
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

  it('refuses refresh tokens that are not ours', async () => {
    const { session } = await signUp();
    expect((await refresh('x')).body).toMatchObject({ code: 'validation_failed', message: 'Refresh token is not valid' });
    const forged = `${session.refresh_token.slice(0, -2)}${session.refresh_token.endsWith('AA') ? 'BB' : 'AA'}`;
    expect((await refresh(forged)).body).toMatchObject({ code: 'refresh_token_not_found' });
  });

  it('ends sessions by scope: others, local, global', async () => {
    const { client, email } = await signUp();
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

  it('changes the password, keeps this session and ends the others', async () => {
    const { client, email } = await signUp();
    const other = (await identity.client().auth.signInWithPassword({ email, password: strongPassword })).data.session!;
    expect((await client.auth.updateUser({ password: strongPassword })).error).toMatchObject({ code: 'same_password' });
    expect((await client.auth.updateUser({ password: 'abc' })).error).toMatchObject({ code: 'weak_password' });
    expect((await client.auth.updateUser({ password: 'simples' })).error).toBeNull();
    expect((await client.auth.getUser()).error).toBeNull();
    expect((await refresh(other.refresh_token)).status).toBe(400);
    expect((await identity.client().auth.signInWithPassword({ email, password: 'simples' })).error).toBeNull();
    expect((await identity.client().auth.signInWithPassword({ email, password: strongPassword })).error).not.toBeNull();
  });

  it('merges user data and refuses what only the server writes', async () => {
    const { client } = await signUp();
    const { data } = await client.auth.updateUser({ data: { full_name: 'Ana Lima', theme: 'dark' } });
    expect(data.user?.user_metadata).toMatchObject({ full_name: 'Ana Lima', theme: 'dark' });
    const removed = await client.auth.updateUser({ data: { theme: null } });
    expect(removed.data.user?.user_metadata).not.toHaveProperty('theme');
    const token = (await client.auth.getSession()).data.session!.access_token;
    const put = (body: unknown) =>
      fetch(`${identity.url}/auth/v1/user`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await put({ app_metadata: { roles: ['admin_master'] } })).status).toBe(403);
    expect(await (await put({ role: 'service_role', email_confirmed_at: '2000-01-01' })).json()).toMatchObject({ role: 'authenticated' });
  });

  it('resets a forgotten password by mail, without telling who has an account', async () => {
    const { email } = await signUp();
    const before = identity.mails.length;
    expect((await identity.client().auth.resetPasswordForEmail(freshEmail(), { redirectTo: 'http://decola.test/auth' })).error).toBeNull();
    expect((await identity.client().auth.resetPasswordForEmail(email, { redirectTo: 'http://decola.test/auth' })).error).toBeNull();
    await eventually(() => expect(identity.mails).toHaveLength(before + 1));
    const mail = identity.mails.at(-1)!;
    expect(mail).toMatchObject({ to: email, subject: 'Redefina sua senha' });
    const link = new URL(/Redefinir senha: (\S+)/.exec(mail.text)![1]!);
    const opened = await fetch(`${identity.url}/auth/v1/verify${link.search}`, { redirect: 'manual' });
    expect(opened.status).toBe(303);
    const target = new URL(opened.headers.get('location')!);
    expect(target.origin + target.pathname).toBe('http://decola.test/auth');
    const fragment = new URLSearchParams(target.hash.slice(1));
    expect(fragment.get('type')).toBe('recovery');
    const client = identity.client();
    await client.auth.setSession({ access_token: fragment.get('access_token')!, refresh_token: fragment.get('refresh_token')! });
    expect((await client.auth.updateUser({ password: 'Nova!Senha1' })).error).toBeNull();
    expect((await identity.client().auth.signInWithPassword({ email, password: 'Nova!Senha1' })).error).toBeNull();
    const spent = await fetch(`${identity.url}/auth/v1/verify${link.search}`, { redirect: 'manual' });
    expect(spent.headers.get('location')).toContain('error_code=otp_expired');
  });

  it('never sends a link to a stranger’s site', async () => {
    const { email } = await signUp();
    await identity.client().auth.resetPasswordForEmail(email, { redirectTo: 'https://evil.example/auth' });
    await eventually(() => expect(identity.mails.at(-1)?.to).toBe(email));
    const link = new URL(/Redefinir senha: (\S+)/.exec(identity.mails.at(-1)!.text)![1]!);
    expect(link.searchParams.get('redirect_to')).toBe('http://decola.test/');
    const forged = new URL(link);
    forged.searchParams.set('redirect_to', 'https://evil.example/');
    expect((await fetch(`${identity.url}/auth/v1/verify${forged.search}`, { redirect: 'manual' })).headers.get('location')).toMatch(
      /^http:\/\/decola\.test\//,
    );
  });

  it('exchanges a PKCE code for a session, once, with its verifier', async () => {
    const { email } = await signUp();
    const store = new Map<string, string>();
    const storage = {
      getItem: (key: string) => store.get(key) ?? null,
      setItem: (key: string, value: string) => void store.set(key, value),
      removeItem: (key: string) => void store.delete(key),
    };
    const client = createClient(identity.url, 'public-key', {
      auth: { flowType: 'pkce', storage, autoRefreshToken: false, detectSessionInUrl: false },
    });
    await client.auth.resetPasswordForEmail(email, { redirectTo: 'http://decola.test/auth' });
    await eventually(() => expect(identity.mails.at(-1)?.to).toBe(email));
    const link = new URL(/Redefinir senha: (\S+)/.exec(identity.mails.at(-1)!.text)![1]!);
    const opened = await fetch(`${identity.url}/auth/v1/verify${link.search}`, { redirect: 'manual' });
    const code = new URL(opened.headers.get('location')!).searchParams.get('code')!;
    expect((await identity.client().auth.exchangeCodeForSession(code)).error).not.toBeNull();
    const { data, error } = await client.auth.exchangeCodeForSession(code);
    expect(error).toBeNull();
    expect(data.user?.email).toBe(email);
  });

  it('changes the address only by the link sent to the new one', async () => {
    const { client, email } = await signUp();
    const newEmail = freshEmail();
    const { data } = await client.auth.updateUser({ email: newEmail });
    expect(data.user).toMatchObject({ email, new_email: newEmail });
    await eventually(() => expect(identity.mails.filter(({ to }) => to === newEmail)).toHaveLength(1));
    const link = new URL(/Confirmar novo e-mail: (\S+)/.exec(identity.mails.find(({ to }) => to === newEmail)!.text)![1]!);
    await fetch(`${identity.url}/auth/v1/verify${link.search}`, { redirect: 'manual' });
    expect((await identity.client().auth.signInWithPassword({ email: newEmail, password: strongPassword })).error).toBeNull();
    expect((await identity.client().auth.signInWithPassword({ email, password: strongPassword })).error).not.toBeNull();
  });

  it('answers bearers by the table of the contract', async () => {
    const { session } = await signUp();
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

  it('keeps the profile’s copy of the subscription, newest last, and lets people write their name alone', async () => {
    const { user } = await signUp();
    const planId = randomUUID();
    const state = (subscribed: boolean) => ({
      subscribed,
      plan_id: subscribed ? planId : null,
      plan_key: subscribed ? ('pro' as const) : null,
      plan_name: subscribed ? 'Pro' : null,
      max_slots: subscribed ? 3 : 0,
      subscription_status: subscribed ? 'active' : 'canceled',
      subscription_end: '2026-12-21T12:00:00.000Z',
      is_trial: false,
      trial_ends_at: null,
      is_canceled: !subscribed,
      is_past_due: false,
      will_renew: subscribed,
    });
    await publishTestEvent(
      identity.broker.url,
      subscriptionChanged,
      { user_id: user.id, sequence: 2, cause: 'subscribed', state: state(true), previous: null },
      { subject: user.id },
    );
    await publishTestEvent(
      identity.broker.url,
      subscriptionChanged,
      { user_id: user.id, sequence: 1, cause: 'ended', state: state(false), previous: null },
      { subject: user.id },
    );
    const own = identity.client(testCaller(user.id));
    await eventually(async () => {
      const { data } = await own
        .from('profiles')
        .select('subscription_status,subscription_plans(name,max_slots)')
        .eq('user_id', user.id)
        .single();
      expect(data).toEqual({ subscription_status: 'active', subscription_plans: { name: 'Pro', max_slots: 3 } });
    });
    expect((await own.from('profiles').update({ full_name: 'Ana Nova' }).eq('user_id', user.id)).status).toBe(204);
    expect((await own.from('profiles').update({ subscription_status: 'active' }).eq('user_id', user.id)).error).toMatchObject({
      code: '42501',
    });
    expect((await own.from('user_roles').insert({ user_id: user.id, role: 'admin_master' })).error).toMatchObject({ code: '42501' });
    expect((await identity.client(testCaller(randomUUID())).from('profiles').select('*')).data).toEqual([]);
    expect((await identity.client().from('profiles').select('*')).data ?? []).toEqual([]);
  });

  it('keeps no password and no token at rest', async () => {
    const { session, email } = await signUp();
    await identity.client().auth.resetPasswordForEmail(email);
    await eventually(() => expect(identity.mails.at(-1)?.to).toBe(email));
    const token = new URL(/Redefinir senha: (\S+)/.exec(identity.mails.at(-1)!.text)![1]!).searchParams.get('token')!;
    const source = identity.app.get(DataSource);
    const tables = await source.query<{ name: string }[]>(
      `select table_name as name from information_schema.tables where table_schema = current_schema()`,
    );
    let everything = '';
    for (const { name } of tables) everything += JSON.stringify(await source.query(`select t::text as row from "${name}" t`));
    for (const secret of [strongPassword, session.refresh_token, session.access_token, token]) expect(everything).not.toContain(secret);
  });

  it('never answers nonsense with a failure of its own', async () => {
    const bodies = [
      '',
      '{',
      '[]',
      '"x"',
      'null',
      '{"email":{"$ne":null},"password":{"$ne":null}}',
      '{"email":5}',
      '{"password":[]}',
      '{"type":"recovery","token":1}',
      '{"email":"a\\u0000@x.com","password":"Segredo!123"}',
      '{"email":"b@x.com","password":"Segredo!123","data":{"full_name":"\\ud800"}}',
      `{"email":"${'a'.repeat(300)}@x.com","password":"x"}`,
    ];
    const paths = [
      'signup',
      'token?grant_type=password',
      'token?grant_type=refresh_token',
      'token?grant_type=pkce',
      'token',
      'recover',
      'verify',
      'otp',
      'resend',
      'logout?scope=x',
      'factors',
      'sso',
    ];
    for (const path of paths) {
      for (const body of bodies) {
        const answer = await fetch(`${identity.url}/auth/v1/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        expect([path, body, answer.status >= 400 && answer.status < 500]).toEqual([path, body, true]);
        expect(answer.headers.get('content-type')).toContain('application/json');
        expect(await answer.text()).not.toMatch(/stack|at \w+ \(/);
      }
    }
  });
});
