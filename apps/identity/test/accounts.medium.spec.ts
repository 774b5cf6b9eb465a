import { collectEvents, eventually, testCaller } from '@decola/testing';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { DataSource } from 'typeorm';
import { freshEmail, type IdentityUnderTest, signUp, startIdentity, strongPassword } from './support.js';

describe('accounts, through the published client', () => {
  let identity: IdentityUnderTest;

  beforeAll(async () => {
    identity = await startIdentity();
  });
  afterAll(() => identity?.stop());

  it('signs a person up: creates session and profile, and publishes the event', async () => {
    const heard = await collectEvents(identity.broker.url, 'user.registered');
    const { user, session, email } = await signUp(identity, `Ana.${freshEmail()}`);
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

  it('refuses a taken address, a weak password and a malformed address as the contract says', async () => {
    const { email } = await signUp(identity);
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

  it('signs in only with the right password, and gives unknown people the same answer', async () => {
    const { email } = await signUp(identity);
    expect((await identity.client().auth.signInWithPassword({ email, password: strongPassword })).error).toBeNull();
    const wrong = await identity.client().auth.signInWithPassword({ email, password: 'Errada!123' });
    const unknown = await identity.client().auth.signInWithPassword({ email: freshEmail(), password: 'Errada!123' });
    expect(wrong.error).toMatchObject({ message: 'Invalid login credentials', code: 'invalid_credentials', status: 400 });
    expect(unknown.error).toMatchObject({ message: wrong.error!.message, code: wrong.error!.code, status: wrong.error!.status });
  });

  it('stores no password and no token in plain text', async () => {
    const { session, email } = await signUp(identity);
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

  it('never answers malformed requests with a 5xx', async () => {
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
