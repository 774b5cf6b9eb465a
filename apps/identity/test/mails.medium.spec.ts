import { eventually, tcpProxy } from '@decola/testing';
import { DataSource } from 'typeorm';
import {
  call,
  codeOf,
  freshEmail,
  type IdentityUnderTest,
  linkOf,
  mailTo,
  markMailboxProven,
  startIdentity,
  strongPassword,
  waitForRow,
} from './support.js';

describe('mails with links and codes', () => {
  let identity: IdentityUnderTest;

  beforeAll(async () => {
    identity = await startIdentity({ MAIL_GAP_SECONDS: '0' });
  });
  afterAll(() => identity?.stop());

  const signUp = async (at = identity) => {
    const email = freshEmail();
    const { status, body } = await call(at, 'POST', 'signup', { body: { email, password: strongPassword } });
    expect(status).toBe(200);
    await markMailboxProven(at, email);
    return { email, token: String(body['access_token']), id: (body['user'] as { id: string } | undefined)?.id };
  };
  const inDatabase = async <Result>(at: IdentityUnderTest, work: (database: DataSource) => Promise<Result>): Promise<Result> => {
    const database = await new DataSource({ type: 'postgres', url: at.database.url }).initialize();
    try {
      return await work(database);
    } finally {
      await database.destroy();
    }
  };

  it('answers at once while the mail server hangs, stores the mail encrypted, and sends it once when the server is back', async () => {
    const wellMailed = await startIdentity();
    const proxy = await tcpProxy(wellMailed.smtpUrl);
    proxy.hang();
    const slow = await startIdentity({ SMTP_URL: proxy.url });
    try {
      const { email } = await signUp(slow);
      // The mail server hangs until later: an answer cannot have waited for it.
      expect((await call(slow, 'POST', 'recover', { body: { email } })).status).toBe(200);
      const [queued] = await inDatabase(slow, (database) =>
        database.query<{ text: string }[]>('select t::text as text from mail_outbox t'),
      );
      expect(queued!.text).not.toContain(email);
      expect(queued!.text).not.toContain('verify');
      await proxy.restore();
      await eventually(() => expect(wellMailed.mails.filter(({ to }) => to === email)).toHaveLength(1), { timeoutMs: 30_000 });
      await eventually(async () => expect(await inDatabase(slow, (database) => database.query('select 1 from mail_outbox'))).toEqual([]));
      expect(wellMailed.mails).toHaveLength(1);
    } finally {
      await slow.stop();
      await proxy.dispose();
      await wellMailed.stop();
    }
  });

  it('redirects the browser with an error when the new address was taken before its link was followed', async () => {
    const { token } = await signUp();
    const wanted = freshEmail();
    expect((await call(identity, 'PUT', 'user', { body: { email: wanted }, token })).status).toBe(200);
    const link = linkOf(identity, await mailTo(identity, wanted));
    expect((await call(identity, 'POST', 'signup', { body: { email: wanted, password: strongPassword } })).status).toBe(200);
    const followed = await fetch(link, { redirect: 'manual' });
    expect(followed.status).toBe(303);
    const fragment = new URLSearchParams(new URL(followed.headers.get('location')!).hash.slice(1));
    expect(Object.fromEntries(fragment)).toMatchObject({ error: 'access_denied', error_code: 'email_exists' });
  });

  it('cancels a pending change of address when the password changes: its links are void, and no other can be requested', async () => {
    const { email, token } = await signUp();
    const stranger = freshEmail();
    const resend = () => call(identity, 'POST', 'resend', { body: { type: 'email_change', email } });
    expect((await call(identity, 'PUT', 'user', { body: { email: stranger }, token })).status).toBe(200);
    const first = await mailTo(identity, stranger);
    expect((await resend()).status).toBe(200);
    const link = linkOf(identity, await mailTo(identity, stranger, 1));
    const changed = await call(identity, 'PUT', 'user', { body: { password: 'Outra!Senha9' }, token });
    expect(changed).toMatchObject({ status: 200, body: { email } });
    expect(changed.body).not.toHaveProperty('new_email');
    expect(await resend()).toMatchObject({ status: 200, body: {} });
    for (const dead of [link, linkOf(identity, first)]) {
      const followed = await fetch(dead, { redirect: 'manual' });
      expect(followed.headers.get('location')).toContain('error_code=otp_expired');
    }
    // Mails are sent in order: when this one has arrived, no earlier one is missing.
    await call(identity, 'POST', 'recover', { body: { email } });
    await eventually(() => expect(identity.mails.some(({ subject, to }) => to === email && subject === 'Redefina sua senha')).toBe(true));
    expect(identity.mails.filter(({ to }) => to === stranger)).toHaveLength(2);
  });

  it('does not repeat the mail of a change of address whose link has expired', async () => {
    const { email, token, id } = await signUp();
    const wanted = freshEmail();
    expect((await call(identity, 'PUT', 'user', { body: { email: wanted }, token })).status).toBe(200);
    await mailTo(identity, wanted);
    const tokens = () =>
      inDatabase(identity, (database) =>
        database.query<{ token_digest: Buffer }[]>('select token_digest from one_time_tokens where user_id = $1', [id]),
      );
    await inDatabase(identity, (database) =>
      database.query(`update one_time_tokens set created_at = created_at - interval '2 days' where user_id = $1`, [id]),
    );
    const before = await tokens();
    expect((await call(identity, 'POST', 'resend', { body: { type: 'email_change', email } })).status).toBe(200);
    expect(await tokens()).toEqual(before);
  });

  it('refuses to request or repeat a change of address that waited while the password changed', async () => {
    const { email, token, id } = await signUp();
    const [first, second] = [freshEmail(), freshEmail()];
    expect((await call(identity, 'PUT', 'user', { body: { email: first }, token })).status).toBe(200);
    await inDatabase(identity, async (database) => {
      const asked = await database.transaction(async (manager) => {
        // The same changes as by a new password in another session.
        await manager.query(`update users set new_email = null, password_hash = 'new' where id = $1`, [id]);
        await manager.query('delete from one_time_tokens where user_id = $1', [id]);
        await manager.query('delete from sessions where user_id = $1', [id]);
        const resent = call(identity, 'POST', 'resend', { body: { type: 'email_change', email } });
        await waitForRow(database);
        const begun = call(identity, 'PUT', 'user', { body: { email: second }, token });
        await waitForRow(database, 2);
        return [resent, begun] as const;
      });
      const [resent, begun] = await Promise.all(asked);
      expect(resent.status).toBe(200);
      expect(begun).toMatchObject({ status: 403, body: { code: 'session_not_found' } });
      expect(await database.query('select new_email from users where id = $1', [id])).toEqual([{ new_email: null }]);
      expect(await database.query('select 1 from one_time_tokens where user_id = $1', [id])).toEqual([]);
    });
  });

  it('tells apart the codes of two people who want the same new address, and counts a wrong one against both', async () => {
    const [one, other] = [await signUp(), await signUp()];
    const wanted = freshEmail();
    for (const { token } of [one, other])
      expect((await call(identity, 'PUT', 'user', { body: { email: wanted }, token })).status).toBe(200);
    await mailTo(identity, wanted, 1);
    const codes = identity.mails.filter(({ to }) => to === wanted).map(codeOf);
    const wrong = ['000000', '000001', '000002'].find((code) => !codes.includes(code))!;
    const type = (code: string) => call(identity, 'POST', 'verify', { body: { type: 'email_change', email: wanted, token: code } });
    expect((await type(wrong)).status).toBe(403);
    const tries = await inDatabase(identity, (database) =>
      database.query('select wrong_tries from one_time_tokens where user_id = any($1)', [[one.id, other.id]]),
    );
    expect(tries).toEqual([{ wrong_tries: 1 }, { wrong_tries: 1 }]);
    expect(await type(codes[0]!)).toMatchObject({ status: 200, body: { user: { id: one.id, email: wanted } } });
    expect((await call(identity, 'GET', 'user', { token: other.token })).body).toMatchObject({ email: other.email });
  });

  describe.each(['the mail', 'the other'])('used at the same moment as another change of the person, %s first,', (first) => {
    const isMailFirst = first === 'the mail';
    /** Sends both requests in this order while the test holds the lock, so that both wait, and then releases it. */
    const together = async <Used, Other>(id: string | undefined, use: () => Promise<Used>, other: () => Promise<Other>) =>
      inDatabase(identity, async (database) => {
        const asked = await database.transaction(async (manager) => {
          await manager.query('select 1 from one_time_tokens where user_id = $1 for update', [id]);
          const [used, done] = [Promise.withResolvers<Used>(), Promise.withResolvers<Other>()];
          const calls = [() => use().then(used.resolve, used.reject), () => other().then(done.resolve, done.reject)];
          for (const [index, begin] of (isMailFirst ? calls : calls.reverse()).entries()) {
            void begin();
            await waitForRow(database, index + 1);
          }
          return [used.promise, done.promise] as const;
        });
        return Promise.all(asked);
      });
    const follow = (link: string) => fetch(link, { redirect: 'manual' });
    const leadsTo = (followed: Response) => {
      expect(followed.status).toBe(303);
      return new URLSearchParams(new URL(followed.headers.get('location')!).hash.slice(1));
    };

    it('works, or is replaced by the repeated mail', async () => {
      const { email, token, id } = await signUp();
      const wanted = freshEmail();
      expect((await call(identity, 'PUT', 'user', { body: { email: wanted }, token })).status).toBe(200);
      const link = linkOf(identity, await mailTo(identity, wanted));
      const [followed, resent] = await together(
        id,
        () => follow(link),
        () => call(identity, 'POST', 'resend', { body: { type: 'email_change', email } }),
      );
      expect(resent).toMatchObject({ status: 200, body: {} });
      expect(leadsTo(followed).get('error_code')).toBe(isMailFirst ? null : 'otp_expired');
      // The repeated mail works as well.
      if (!isMailFirst) leadsTo(await follow(linkOf(identity, await mailTo(identity, wanted, 1))));
      expect((await call(identity, 'GET', 'user', { token })).body).toMatchObject({ email: wanted });
    });

    it('works, or is voided by the new password', async () => {
      const { email, token, id } = await signUp();
      expect((await call(identity, 'POST', 'recover', { body: { email } })).status).toBe(200);
      const code = codeOf(await mailTo(identity, email));
      const password = 'Outra!Senha9';
      const [verified, changed] = await together(
        id,
        () => call(identity, 'POST', 'verify', { body: { type: 'recovery', email, token: code } }),
        () => call(identity, 'PUT', 'user', { body: { password }, token }),
      );
      expect(changed.status).toBe(200);
      expect(verified).toMatchObject(isMailFirst ? { status: 200 } : { status: 403, body: { code: 'otp_expired' } });
      // The change of the password ended all other sessions, also the one of the code.
      const sessions = await inDatabase(identity, (database) =>
        database.query<unknown[]>('select 1 from sessions where user_id = $1', [id]),
      );
      expect(sessions).toHaveLength(1);
      expect((await call(identity, 'POST', 'token?grant_type=password', { body: { email, password } })).status).toBe(200);
    });

    it('works, or is replaced by the next mail of its purpose', async () => {
      const { email, id } = await signUp();
      const recover = () => call(identity, 'POST', 'recover', { body: { email } });
      expect((await recover()).status).toBe(200);
      const link = linkOf(identity, await mailTo(identity, email));
      const [followed, asked] = await together(id, () => follow(link), recover);
      expect(asked.status).toBe(200);
      expect(leadsTo(followed).get('error_code')).toBe(isMailFirst ? null : 'otp_expired');
      expect(leadsTo(await follow(linkOf(identity, await mailTo(identity, email, 1)))).get('type')).toBe('recovery');
    });
  });

  it('keeps a link valid after a HEAD request of a mail scanner', async () => {
    const { email } = await signUp();
    await call(identity, 'POST', 'recover', { body: { email } });
    const link = linkOf(identity, await mailTo(identity, email));
    await fetch(link, { method: 'HEAD', redirect: 'manual' });
    const followed = await fetch(link, { redirect: 'manual' });
    expect(new URL(followed.headers.get('location')!).hash).toContain('access_token=');
  });

  it('creates an account when an unknown address requests a link, unless create_user is false', async () => {
    const stranger = freshEmail();
    expect(await call(identity, 'POST', 'otp', { body: { email: stranger, create_user: false } })).toMatchObject({
      status: 422,
      body: { code: 'otp_disabled' },
    });
    expect((await call(identity, 'POST', 'otp', { body: { email: stranger, data: { full_name: 'Nova Pessoa' } } })).status).toBe(200);
    const token = codeOf(await mailTo(identity, stranger));
    // No password was chosen, so an empty one is wrong.
    const withoutPassword = await call(identity, 'POST', 'token?grant_type=password', { body: { email: stranger, password: '' } });
    expect(withoutPassword.body).toMatchObject({ code: 'invalid_credentials' });
    const verified = await call(identity, 'POST', 'verify', { body: { type: 'email', email: stranger, token } });
    expect(verified).toMatchObject({ status: 200, body: { user: { email: stranger, user_metadata: { full_name: 'Nova Pessoa' } } } });
  });

  it('requires a mailed code for a new password in an old session when REQUIRE_REAUTHENTICATION is set', async () => {
    const strict = await startIdentity({ REQUIRE_REAUTHENTICATION: 'true', MAIL_GAP_SECONDS: '0' });
    try {
      const { email, token, id } = await signUp(strict);
      const change = (body: object) => call(strict, 'PUT', 'user', { body: { password: 'Outra!Senha9', ...body }, token });
      await inDatabase(strict, (database) =>
        database.query(`update sessions set created_at = created_at - interval '2 days' where user_id = $1`, [id]),
      );
      expect(await change({})).toMatchObject({ status: 400, body: { code: 'reauthentication_needed' } });
      expect((await call(strict, 'GET', 'reauthenticate', { token })).status).toBe(200);
      const nonce = codeOf(await mailTo(strict, email));
      const wrong = String((Number(nonce) + 1) % 1_000_000).padStart(6, '0');
      expect(await change({ nonce: wrong })).toMatchObject({ status: 422, body: { code: 'reauthentication_not_valid' } });
      expect((await change({ nonce })).status).toBe(200);
    } finally {
      await strict.stop();
    }
  });

  it('does not reveal that an address is taken when addresses are confirmed by mail', async () => {
    const careful = await startIdentity({ AUTO_CONFIRM_EMAIL: 'false' });
    try {
      const email = freshEmail();
      const again = () => call(careful, 'POST', 'signup', { body: { email, password: strongPassword } });
      // Simultaneous and successive sign-ups get the same answer, and the address gets one mail.
      const answers = [...(await Promise.all([again(), again(), again(), again()])), await again()];
      for (const { status, body } of answers) {
        expect(status).toBe(200);
        expect(body).toMatchObject({ email, aud: 'authenticated' });
        expect(body).not.toHaveProperty('access_token');
      }
      const link = linkOf(careful, await mailTo(careful, email));
      expect((await call(careful, 'POST', 'token?grant_type=password', { body: { email, password: strongPassword } })).body).toMatchObject({
        code: 'email_not_confirmed',
      });
      expect((await fetch(link, { redirect: 'manual' })).status).toBe(303);
      const taken = await again();
      expect(taken).toMatchObject({ status: 200, body: { email, identities: [] } });
      expect(taken.body).not.toHaveProperty('email_confirmed_at');
      expect(careful.mails.filter(({ to }) => to === email)).toHaveLength(1);
    } finally {
      await careful.stop();
    }
  });
});
