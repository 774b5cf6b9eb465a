import * as current from '@supabase/supabase-js';
import * as older from '@supabase/supabase-js-2-50';
import { Secret, TOTP } from 'otpauth';
import { DataSource } from 'typeorm';
import { MailboxProof1764300000000 } from '../src/migrations/1764300000000-mailbox-proof.js';
import {
  call,
  codeOf,
  freshEmail,
  type IdentityUnderTest,
  linkOf,
  mailTo,
  refresh,
  startIdentity,
  strongPassword,
  waitForRow,
} from './support.js';

const libraries: [string, typeof current][] = [
  ['2.119', current],
  ['2.50', older as unknown as typeof current],
];
const chosen = 'Minha!Senha1';

describe.each(libraries)('the owner of an address that somebody else signed up with, supabase-js %s', (_version, library) => {
  let identity: IdentityUnderTest;
  let database: DataSource;

  beforeAll(async () => {
    identity = await startIdentity({ MAIL_GAP_SECONDS: '0' });
    database = identity.app.get(DataSource);
  });
  afterAll(() => identity?.stop());

  const page = () => library.createClient(identity.url, 'public-key', { auth: { persistSession: false, autoRefreshToken: false } });
  const totp = (secret: string, steps = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

  /** A stranger signs up with the owner's address and prepares everything that could be of use later. */
  const stranger = async (email = freshEmail()) => {
    const client = page();
    const { data, error } = await client.auth.signUp({ email, password: strongPassword, options: { data: { full_name: 'Estranho' } } });
    expect(error).toBeNull();
    const userId = data.user!.id;
    const second = page();
    expect((await second.auth.signInWithPassword({ email, password: strongPassword })).error).toBeNull();
    await database.query(`insert into identities (user_id, provider, provider_id, identity_data) values ($1, 'google', $2, '{}')`, [
      userId,
      `google-${userId}`,
    ]);
    await database.query(`insert into factors (id, user_id, sealed_secret) values (gen_random_uuid(), $1, 'x')`, [userId]);
    const session = (await client.auth.getSession()).data.session!;
    return { email, userId, client, second, session };
  };
  const follow = async (link: string) => {
    const answer = await fetch(link, { redirect: 'manual' });
    return new URLSearchParams(new URL(answer.headers.get('location')!).hash.slice(1));
  };
  const enter = async (fragment: URLSearchParams) => {
    const client = page();
    const { error } = await client.auth.setSession({
      access_token: fragment.get('access_token')!,
      refresh_token: fragment.get('refresh_token')!,
    });
    expect(error).toBeNull();
    return client;
  };
  type Stranger = Awaited<ReturnType<typeof stranger>>;
  const expectOut = async ({ client, second, email, userId, session }: Stranger) => {
    for (const each of [client, second]) expect((await each.auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' });
    expect((await refresh(identity, session.refresh_token)).status).toBe(400);
    expect((await page().auth.signInWithPassword({ email, password: strongPassword })).error).toMatchObject({
      code: 'invalid_credentials',
    });
    expect(await database.query('select provider from identities where user_id = $1', [userId])).toEqual([{ provider: 'email' }]);
    expect(await database.query('select 1 from factors where user_id = $1', [userId])).toEqual([]);
  };

  it('voids everything of the stranger by a recovery link, and chooses a new password', async () => {
    const before = await stranger();
    expect((await page().auth.resetPasswordForEmail(before.email)).error).toBeNull();
    const owner = await enter(await follow(linkOf(identity, await mailTo(identity, before.email))));
    await expectOut(before);
    // The stranger's own password is void too.
    expect((await owner.auth.updateUser({ password: chosen })).error).toBeNull();
    expect((await page().auth.signInWithPassword({ email: before.email, password: chosen })).error).toBeNull();
    expect((await owner.auth.getUser()).data.user).toMatchObject({ id: before.userId });
    const events = await database.query<{ kind: string }[]>(
      `select kind from security_events where user_id = $1 and kind = 'mailbox.proven'`,
      [before.userId],
    );
    expect(events).toHaveLength(1);
  });

  it.each(['code', 'link', 'token hash'])(
    'voids everything of the stranger by the %s of a sign-in mail, and mails that the password is void',
    async (by) => {
      const before = await stranger();
      const { email } = before;
      const owner = page();
      expect((await owner.auth.signInWithOtp({ email, options: { shouldCreateUser: false } })).error).toBeNull();
      const mail = await mailTo(identity, email);
      if (by === 'code') expect((await owner.auth.verifyOtp({ email, token: codeOf(mail), type: 'email' })).error).toBeNull();
      else if (by === 'link') await enter(await follow(linkOf(identity, mail)));
      else {
        const hash = new URL(linkOf(identity, mail)).searchParams.get('token')!;
        expect((await owner.auth.verifyOtp({ token_hash: hash, type: 'magiclink' })).error).toBeNull();
      }
      await expectOut(before);
      expect((await mailTo(identity, email, 1)).subject).toBe('Escolha uma nova senha');
      // The code stays valid after the link, which a scanner may have followed.
      if (by === 'link') {
        expect((await owner.auth.verifyOtp({ email, token: codeOf(mail), type: 'email' })).error).toBeNull();
        expect((await owner.auth.getUser()).error).toBeNull();
      }
    },
  );

  it('voids everything of a stranger who changed their account to this address', async () => {
    const before = await stranger();
    const owned = freshEmail();
    expect((await before.client.auth.updateUser({ email: owned })).error).toBeNull();
    const owner = await enter(await follow(linkOf(identity, await mailTo(identity, owned))));
    await expectOut({ ...before, email: owned });
    expect((await owner.auth.getUser()).data.user).toMatchObject({ email: owned, identities: [{ provider: 'email' }] });
  });

  it('voids a change of address that the stranger requested', async () => {
    const before = await stranger();
    const theirs = freshEmail();
    expect((await before.client.auth.updateUser({ email: theirs })).error).toBeNull();
    const trap = await mailTo(identity, theirs);
    expect((await page().auth.resetPasswordForEmail(before.email)).error).toBeNull();
    await mailTo(identity, before.email, 1);
    const recovery = identity.mails.findLast(({ to, subject }) => to === before.email && subject === 'Redefina sua senha')!;
    const owner = await enter(await follow(linkOf(identity, recovery)));
    expect((await follow(linkOf(identity, trap))).get('error_code')).toBe('otp_expired');
    expect((await page().auth.verifyOtp({ email: theirs, token: codeOf(trap), type: 'email_change' })).error).not.toBeNull();
    const { data } = await owner.auth.getUser();
    expect(data.user).toMatchObject({ email: before.email });
    expect(data.user).not.toHaveProperty('new_email');
  });

  it('adds a second factor only after the proof, and no later mail removes factor or password', async () => {
    const email = freshEmail();
    const person = page();
    expect((await person.auth.signUp({ email, password: strongPassword })).error).toBeNull();
    const refused = await person.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Celular' });
    expect(refused.error).toMatchObject({
      name: 'AuthApiError',
      status: 403,
      code: 'email_not_confirmed',
      message: expect.stringContaining('recovery or sign-in mail') as unknown,
    });
    expect(await database.query('select 1 from factors f join users u on u.id = f.user_id where u.email = $1', [email])).toEqual([]);
    expect((await person.auth.resetPasswordForEmail(email)).error).toBeNull();
    expect((await person.auth.verifyOtp({ email, token: codeOf(await mailTo(identity, email)), type: 'recovery' })).error).toBeNull();
    expect((await person.auth.updateUser({ password: chosen })).error).toBeNull();
    const { data, error } = await person.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Celular' });
    expect(error).toBeNull();
    expect((await person.auth.mfa.challengeAndVerify({ factorId: data!.id, code: totp(data!.totp.secret) })).error).toBeNull();
    // Whoever takes over the mailbox gets a session at aal1; factor, password and sessions stay.
    const reader = page();
    expect((await reader.auth.signInWithOtp({ email })).error).toBeNull();
    expect((await reader.auth.verifyOtp({ email, token: codeOf(await mailTo(identity, email, 1)), type: 'email' })).error).toBeNull();
    expect((await reader.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' });
    expect((await reader.auth.updateUser({ password: 'Outra!Senha9' })).error).toMatchObject({ code: 'insufficient_aal' });
    expect((await reader.auth.mfa.unenroll({ factorId: data!.id })).error).toMatchObject({ code: 'insufficient_aal' });
    expect((await person.auth.getUser()).data.user!.factors).toMatchObject([{ id: data!.id, status: 'verified' }]);
    expect((await page().auth.signInWithPassword({ email, password: chosen })).error).toBeNull();
  });

  it('removes a factor that was created before the proof and never verified', async () => {
    const { userId, client } = await stranger();
    const [{ id }] = await database.query<[{ id: string }]>('select id from factors where user_id = $1', [userId]);
    const { error } = await client.auth.mfa.challengeAndVerify({ factorId: id, code: '123456' });
    expect(error).toMatchObject({ status: 403, code: 'email_not_confirmed' });
  });

  it('keeps password and sessions when a proven account changes its address or answers another mail', async () => {
    const email = freshEmail();
    const person = page();
    expect((await person.auth.signUp({ email, password: strongPassword })).error).toBeNull();
    expect((await person.auth.resetPasswordForEmail(email)).error).toBeNull();
    expect((await person.auth.verifyOtp({ email, token: codeOf(await mailTo(identity, email)), type: 'recovery' })).error).toBeNull();
    expect((await person.auth.updateUser({ password: chosen })).error).toBeNull();
    const next = freshEmail();
    expect((await person.auth.updateUser({ email: next })).error).toBeNull();
    await follow(linkOf(identity, await mailTo(identity, next)));
    expect((await person.auth.getUser()).data.user).toMatchObject({ email: next });
    expect((await page().auth.signInWithPassword({ email: next, password: chosen })).error).toBeNull();
  });

  it('proves the mailbox by the code of reauthenticate together with a new password', async () => {
    const { email, client, second, userId } = await stranger();
    expect((await client.auth.reauthenticate()).error).toBeNull();
    const nonce = codeOf(await mailTo(identity, email));
    expect((await client.auth.updateUser({ password: chosen, nonce })).error).toBeNull();
    expect((await client.auth.getUser()).error).toBeNull();
    expect((await second.auth.getUser()).error).not.toBeNull();
    expect(await database.query('select provider from identities where user_id = $1', [userId])).toEqual([{ provider: 'email' }]);
    expect((await page().auth.signInWithPassword({ email, password: chosen })).error).toBeNull();
    expect((await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Celular' })).error).toBeNull();
  });

  it('refuses a sign-in and an enrollment that waited while the mailbox was proven', async () => {
    const before = await stranger();
    const { asked } = await database.transaction(async (manager) => {
      // The same changes as by the owner's link.
      await manager.query(`update users set mailbox_proven_at = now(), password_hash = null where id = $1`, [before.userId]);
      await manager.query('delete from sessions where user_id = $1', [before.userId]);
      const token = before.session.access_token;
      const calls = [
        call(identity, 'POST', 'token?grant_type=password', { body: { email: before.email, password: strongPassword } }),
        call(identity, 'POST', 'factors', { body: { factor_type: 'totp', friendly_name: 'Do estranho' }, token }),
      ];
      await waitForRow(database, 2);
      return { asked: Promise.all(calls) };
    });
    expect((await asked).map(({ status, body }) => [status, body['code']])).toEqual([
      [400, 'invalid_credentials'],
      [403, 'session_not_found'],
    ]);
    expect(await database.query('select 1 from sessions where user_id = $1', [before.userId])).toEqual([]);
  });
});

describe('an address that two people signed up with, where addresses are confirmed by mail', () => {
  it('keeps the password of a single sign-up, and none when two sign-ups chose different ones', async () => {
    const identity = await startIdentity({ AUTO_CONFIRM_EMAIL: 'false', MAIL_GAP_SECONDS: '0' });
    try {
      const signUp = (email: string, password: string) => call(identity, 'POST', 'signup', { body: { email, password } });
      const signIn = (email: string, password: string) =>
        call(identity, 'POST', 'token?grant_type=password', { body: { email, password } });
      const [alone, disputed] = [freshEmail(), freshEmail()];
      await signUp(alone, strongPassword);
      await signUp(alone, strongPassword);
      await signUp(disputed, strongPassword);
      await signUp(disputed, chosen);
      for (const email of [alone, disputed])
        expect((await fetch(linkOf(identity, await mailTo(identity, email, 1)), { redirect: 'manual' })).status).toBe(303);
      expect((await signIn(alone, strongPassword)).status).toBe(200);
      for (const password of [strongPassword, chosen])
        expect((await signIn(disputed, password)).body).toMatchObject({ code: 'invalid_credentials' });
      // A sign-in mail does not confirm the sign-up and its password.
      const other = freshEmail();
      await signUp(other, strongPassword);
      await call(identity, 'POST', 'otp', { body: { email: other } });
      const token = codeOf(await mailTo(identity, other, 1));
      expect((await call(identity, 'POST', 'verify', { body: { type: 'email', email: other, token } })).status).toBe(200);
      expect((await signIn(other, strongPassword)).body).toMatchObject({ code: 'invalid_credentials' });
    } finally {
      await identity.stop();
    }
  });
});

describe('accounts from before the migration', () => {
  it('count as proven only when a security event shows that a mail was answered', async () => {
    const identity = await startIdentity();
    const database = identity.app.get(DataSource);
    try {
      const runner = database.createQueryRunner();
      const migration = new MailboxProof1764300000000();
      await migration.down(runner);
      const people = ['nobody', 'otp', 'recovered', 'moved', 'confirmed', 'password', 'factor', 'begun'];
      for (const name of people)
        await database.query(
          `insert into users (email, created_at, email_confirmed_at) values ($1, '2026-01-01', case when $2 then timestamptz '2026-01-01 01:00Z' else timestamptz '2026-01-01' end)`,
          [`${name}@example.com`, name === 'confirmed'],
        );
      const event = (name: string, kind: string, at: string) =>
        database.query(`insert into security_events (user_id, kind, at) select id, $2, $3 from users where email = $1`, [
          `${name}@example.com`,
          kind,
          at,
        ]);
      await event('otp', 'sign_in.otp', '2026-02-01Z');
      await event('otp', 'sign_in.otp', '2026-02-02Z');
      await event('recovered', 'recovery.used', '2026-02-03Z');
      await event('moved', 'sign_in.otp', '2026-02-01Z');
      await event('moved', 'email.changed', '2026-02-04Z');
      await event('password', 'sign_in.password', '2026-02-01Z');
      for (const [name, status] of [
        ['factor', 'verified'],
        ['begun', 'unverified'],
      ] as const)
        await database.query(
          `insert into factors (id, user_id, sealed_secret, status) select gen_random_uuid(), id, 'x', $2 from users where email = $1`,
          [`${name}@example.com`, status],
        );
      await migration.up(runner);
      await runner.release();
      const proven = await database.query<{ email: string; at: Date | null }[]>(
        `select split_part(email, '@', 1) as email, mailbox_proven_at as at from users where mailbox_proven_at is not null order by 1`,
      );
      expect(proven.map(({ email, at }) => [email, at?.toISOString().slice(0, 13)])).toEqual([
        ['confirmed', '2026-01-01T01'],
        ['moved', '2026-02-04T00'],
        ['otp', '2026-02-01T00'],
        ['recovered', '2026-02-03T00'],
      ]);
      expect(await database.query('select status from factors')).toEqual([{ status: 'verified' }]);
    } finally {
      await identity.stop();
    }
  });
});
