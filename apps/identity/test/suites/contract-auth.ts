import { DataSource } from 'typeorm';
import { call, codeOf, freshEmail, type IdentityUnderTest, linkOf, mailTo, type StartIdentity, strongPassword } from '../support.js';

/** What clients of auth/v1 rely on. @param startIdentity starts the service where the suite is to run */
export function contractAuth(startIdentity: StartIdentity): void {
  describe('auth/v1 as the contract says', () => {
    let identity: IdentityUnderTest;
    let database: DataSource;

    beforeAll(async () => {
      identity = await startIdentity({ REDIRECT_ALLOW_LIST: 'https://*.parceiro.example,app://voltar/**' });
      database = await new DataSource({ type: 'postgres', url: identity.database.url }).initialize();
    });
    afterAll(async () => {
      await database?.destroy();
      await identity?.stop();
    });

    const signUp = async (at = identity) => {
      const email = freshEmail();
      const { status, body } = await call(at, 'POST', 'signup', { body: { email, password: strongPassword, data: { full_name: 'Ana' } } });
      expect(status).toBe(200);
      const {
        access_token: token,
        refresh_token: refresh,
        user,
      } = body as { access_token: string; refresh_token: string; user: { id: string } };
      return { email, token, refresh, id: user.id };
    };
    const send = async (path: string, body: string, contentType: string) => {
      const answer = await fetch(`${identity.url}/auth/v1/${path}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': contentType, 'x-supabase-api-version': '2024-01-01' },
        body,
      });
      const text = await answer.text();
      return { status: answer.status, location: answer.headers.get('location'), body: text ? (JSON.parse(text) as unknown) : undefined };
    };

    it('reads every body as JSON, whatever its content type, and refuses malformed JSON', async () => {
      const email = freshEmail();
      expect(await send('signup', JSON.stringify({ email, password: strongPassword }), 'text/plain')).toMatchObject({
        status: 200,
        body: { user: { email } },
      });
      expect(await send('signup', 'hello', 'text/plain')).toMatchObject({ status: 400, body: { code: 'bad_json' } });
      expect(await send('signup', 'email=a', 'application/x-www-form-urlencoded')).toMatchObject({
        status: 400,
        body: { code: 'bad_json' },
      });
    });

    it('refuses user metadata that is nested too deeply to be stored', async () => {
      const { token } = await signUp();
      for (const depth of [5_000, 100_000]) {
        const answer = await fetch(`${identity.url}/auth/v1/user`, {
          method: 'PUT',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: `{"data":{"deep":${'['.repeat(depth)}${']'.repeat(depth)}}}`,
        });
        expect(answer.status).toBe(400);
      }
    });

    it('refuses names of built-in object members, such as constructor, as types', async () => {
      for (const type of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
        expect(await call(identity, 'POST', 'verify', { body: { type, email: freshEmail(), token: '123456' } })).toMatchObject({
          status: 400,
          body: { code: 'validation_failed' },
        });
        expect((await call(identity, 'GET', `verify?type=${type}&token=abc`)).status).toBe(303);
      }
    });

    it('verifies one address with one proof', async () => {
      const verify = (body: object) => call(identity, 'POST', 'verify', { body: { type: 'email', ...body } });
      expect(await verify({ token: '123456', email: 'not an address' })).toMatchObject({
        status: 422,
        body: { code: 'validation_failed' },
      });
      for (const body of [
        { token: '123456', email: freshEmail(), phone: '5511999999999' },
        { token_hash: 'abc', redirect_to: 'http://decola.test/' },
        { token_hash: 'abc', phone: '5511999999999' },
        { token: '123456', token_hash: 'abc' },
      ])
        expect(await verify(body)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    });

    it('answers a banned person with user_banned, for the session, its refresh token and the password', async () => {
      const { email, token, refresh, id } = await signUp();
      await database.query(`update users set banned_until = now() + interval '1 day' where id = $1`, [id]);
      expect(await call(identity, 'GET', 'user', { token })).toMatchObject({ status: 403, body: { code: 'user_banned' } });
      expect(await call(identity, 'POST', 'token?grant_type=refresh_token', { body: { refresh_token: refresh } })).toMatchObject({
        status: 400,
        body: { code: 'user_banned', message: 'Invalid Refresh Token: User Banned' },
      });
      expect(await call(identity, 'POST', 'token?grant_type=password', { body: { email, password: strongPassword } })).toMatchObject({
        status: 400,
        body: { code: 'user_banned', message: 'User is banned' },
      });
      const [{ id: session }] = await database.query<[{ id: string }]>('select id from sessions where user_id = $1', [id]);
      expect((await fetch(`${identity.url}/internal/sessions/${session}`)).status).toBe(404);
    });

    it('refuses an empty password as weak instead of ignoring it', async () => {
      const { token } = await signUp();
      expect(await call(identity, 'PUT', 'user', { body: { password: '' }, token })).toMatchObject({
        status: 422,
        body: { code: 'weak_password', weak_password: { reasons: ['length'] } },
      });
      expect((await call(identity, 'PUT', 'user', { body: { password: null, email: null, data: null }, token })).status).toBe(200);
    });

    it('tells the seconds until the next mail', async () => {
      const { email, token, id } = await signUp();
      expect((await call(identity, 'GET', 'reauthenticate', { token })).status).toBe(200);
      await database.query(`update users set reauthentication_sent_at = now() - interval '20 seconds' where id = $1`, [id]);
      const again = await call(identity, 'GET', 'reauthenticate', { token });
      expect(again).toMatchObject({ status: 429, body: { code: 'over_email_send_rate_limit' } });
      const seconds = Number(again.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(20);
      expect(seconds).toBeLessThanOrEqual(40);
      expect(again.body['message']).toBe(`For security purposes, you can only request this after ${seconds} seconds.`);
      expect((await call(identity, 'POST', 'otp', { body: { email } })).status).toBe(200);
      expect((await call(identity, 'POST', 'otp', { body: { email } })).headers.get('retry-after')).toMatch(/^\d+$/);
    });

    it('writes every instant in the same format', async () => {
      const { token } = await signUp();
      const { body } = await call(identity, 'GET', 'user', { token });
      const [each] = body['identities'] as Record<string, string>[];
      for (const instant of [body['created_at'], each!['created_at'], each!['updated_at'], each!['last_sign_in_at']])
        expect(instant).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/);
    });

    it('redirects to URLs of the allow-list, with or without a path, and to no others', async () => {
      const leadsTo = async (asked: string) =>
        new URL(
          (await call(identity, 'GET', `verify?type=recovery&token=x&redirect_to=${encodeURIComponent(asked)}`)).headers.get('location')!,
        );
      expect((await leadsTo('https://loja.parceiro.example')).origin).toBe('https://loja.parceiro.example');
      expect((await leadsTo('https://loja.parceiro.example/')).origin).toBe('https://loja.parceiro.example');
      expect((await leadsTo('app://voltar/conta/senha')).href).toMatch(/^app:\/\/voltar\/conta\/senha#/);
      for (const elsewhere of [
        'https://a.b.parceiro.example',
        'https://parceiro.example.evil.com',
        'https://evil.com/.parceiro.example',
        'https://evil.com?x=.parceiro.example',
        'https://loja.parceiro.example@evil.com',
        'http://decola.test@evil.com/',
        '//evil.com',
        'javascript:alert(1)',
      ])
        expect((await leadsTo(elsewhere)).origin).toBe('http://decola.test');
    });

    it('reads the state of a posted callback from its form', async () => {
      const answer = await send('callback', 'state=abc&code=1', 'application/x-www-form-urlencoded');
      expect(answer.status).toBe(303);
      expect(new URL(answer.location!).searchParams.get('error_code')).toBe('bad_oauth_state');
      const without = await send('callback', 'code=1', 'application/x-www-form-urlencoded');
      expect(new URL(without.location!).searchParams.get('error_code')).toBe('bad_oauth_callback');
    });

    it('refuses a mail’s code and link after the account left that address', async () => {
      const { email, token } = await signUp();
      expect((await call(identity, 'POST', 'recover', { body: { email } })).status).toBe(200);
      const old = linkOf(identity, await mailTo(identity, email));
      const wanted = freshEmail();
      expect((await call(identity, 'PUT', 'user', { body: { email: wanted }, token })).status).toBe(200);
      expect((await fetch(linkOf(identity, await mailTo(identity, wanted)), { redirect: 'manual' })).headers.get('location')).toContain(
        'access_token=',
      );
      expect((await fetch(old, { redirect: 'manual' })).headers.get('location')).toContain('error_code=otp_expired');
    });

    it('accepts the code after a scanner followed the link; neither works twice', async () => {
      const { email } = await signUp();
      expect((await call(identity, 'POST', 'recover', { body: { email } })).status).toBe(200);
      const mail = await mailTo(identity, email);
      const follow = async () => (await fetch(linkOf(identity, mail), { redirect: 'manual' })).headers.get('location')!;
      const type = () => call(identity, 'POST', 'verify', { body: { type: 'recovery', email, token: codeOf(mail) } });
      expect(await follow()).toContain('access_token=');
      expect(await follow()).toContain('error_code=otp_expired');
      expect(await type()).toMatchObject({ status: 200, body: { user: { email } } });
      expect(await type()).toMatchObject({ status: 403, body: { code: 'otp_expired' } });
    });

    it('voids the link when the code is used, and both by a new password or the next mail', async () => {
      const { email, id } = await signUp();
      const ask = async () => {
        await database.query('update users set recovery_sent_at = null where id = $1', [id]);
        const before = identity.mails.filter(({ to }) => to === email).length;
        expect((await call(identity, 'POST', 'recover', { body: { email } })).status).toBe(200);
        return mailTo(identity, email, before);
      };
      const follow = async (mail: Awaited<ReturnType<typeof ask>>) =>
        (await fetch(linkOf(identity, mail), { redirect: 'manual' })).headers.get('location')!;
      const type = (token: string) => call(identity, 'POST', 'verify', { body: { type: 'recovery', email, token } });
      const first = await ask();
      expect((await type(codeOf(first))).status).toBe(200);
      expect(await follow(first)).toContain('error_code=otp_expired');
      const second = await ask();
      expect(await follow(second)).toContain('access_token=');
      const third = await ask();
      if (codeOf(third) !== codeOf(second)) expect((await type(codeOf(second))).status).toBe(403);
      const token = new URLSearchParams(new URL(await follow(third)).hash.slice(1)).get('access_token')!;
      expect((await call(identity, 'PUT', 'user', { body: { password: 'Outra!Senha9' }, token })).status).toBe(200);
      expect((await type(codeOf(third))).status).toBe(403);
    });

    it('ends all sessions when no scope is named', async () => {
      const { token } = await signUp();
      expect((await call(identity, 'POST', 'logout?scope=', { token })).status).toBe(204);
      expect(await call(identity, 'GET', 'user', { token })).toMatchObject({ status: 403, body: { code: 'session_not_found' } });
      // A page that lost the answer sends the request again.
      expect((await call(identity, 'POST', 'logout', { token })).status).toBe(204);
      expect(await call(identity, 'POST', 'logout?scope=somebody', { token })).toMatchObject({
        status: 400,
        body: { code: 'validation_failed' },
      });
    });
  });

  describe('user metadata', () => {
    it('is refused when it is too large for a token, at once or in several updates', async () => {
      const identity = await startIdentity();
      try {
        const large = { note: 'x'.repeat(9_000) };
        const tooLarge = { status: 400, body: { code: 'validation_failed', message: 'User metadata is too large' } };
        expect(
          await call(identity, 'POST', 'signup', { body: { email: freshEmail(), password: strongPassword, data: large } }),
        ).toMatchObject(tooLarge);
        const { body } = await call(identity, 'POST', 'signup', { body: { email: freshEmail(), password: strongPassword } });
        const token = String(body['access_token']);
        const say = (data: object) => call(identity, 'PUT', 'user', { token, body: { data } });
        expect((await say({ one: 'x'.repeat(5_000) })).status).toBe(200);
        expect(await say({ two: 'x'.repeat(5_000) })).toMatchObject(tooLarge);
        expect((await say({ two: 'short' })).body).toMatchObject({ user_metadata: { two: 'short' } });
      } finally {
        await identity.stop();
      }
    });
  });

  describe('sign-ups that are confirmed by mail', () => {
    it('do not reveal the metadata of an unconfirmed person who signed up before', async () => {
      const identity = await startIdentity({ AUTO_CONFIRM_EMAIL: 'false' });
      try {
        const email = freshEmail();
        const signUp = (data?: object) => call(identity, 'POST', 'signup', { body: { email, password: strongPassword, data } });
        const first = await signUp({ full_name: 'Ana Souza', telefone: '11 99999-9999' });
        const again = await signUp({ full_name: 'Estranho' });
        expect(again).toMatchObject({ status: 200, body: { id: first.body['id'], email, identities: [{ provider: 'email' }] } });
        expect(JSON.stringify(again.body)).not.toMatch(/Ana|99999/);
        expect((await fetch(linkOf(identity, await mailTo(identity, email)), { redirect: 'manual' })).status).toBe(303);
        const { body } = await call(identity, 'POST', 'token?grant_type=password', { body: { email, password: strongPassword } });
        expect(body['user']).toMatchObject({ user_metadata: { full_name: 'Ana Souza', telefone: '11 99999-9999', email_verified: true } });
      } finally {
        await identity.stop();
      }
    });

    it('count as mails of the hour, and reveal nothing when these are used up', async () => {
      const careful = await startIdentity({ AUTO_CONFIRM_EMAIL: 'false', MAILS_PER_HOUR: '1' });
      try {
        const email = freshEmail();
        const again = (to = email) => call(careful, 'POST', 'signup', { body: { email: to, password: strongPassword } });
        expect((await again()).status).toBe(200);
        for (const refused of [await again(freshEmail()), await again()]) {
          expect(refused).toMatchObject({
            status: 429,
            body: { code: 'over_email_send_rate_limit', message: 'email rate limit exceeded' },
          });
          expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
        }
      } finally {
        await careful.stop();
      }
    });
  });
}
