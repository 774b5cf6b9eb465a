import { createHash } from 'node:crypto';
import { eventually } from '@decola/testing';
import { createClient } from '@supabase/supabase-js';
import { DataSource } from 'typeorm';
import {
  call,
  freshEmail,
  type IdentityUnderTest,
  linkOf,
  mailTo,
  markMailboxProven,
  refresh,
  signUp,
  startIdentity,
  strongPassword,
  waitForRow,
} from './support.js';

describe('changes of one’s own account, through the published client', () => {
  let identity: IdentityUnderTest;

  beforeAll(async () => {
    identity = await startIdentity();
  });
  afterAll(() => identity?.stop());

  it('changes the password, keeps this session and ends the others', async () => {
    const { client, email } = await signUp(identity);
    const other = (await identity.client().auth.signInWithPassword({ email, password: strongPassword })).data.session!;
    expect((await client.auth.updateUser({ password: strongPassword })).error).toMatchObject({ code: 'same_password' });
    expect((await client.auth.updateUser({ password: 'abc' })).error).toMatchObject({ code: 'weak_password' });
    expect((await client.auth.updateUser({ password: 'simples' })).error).toBeNull();
    expect((await client.auth.getUser()).error).toBeNull();
    expect((await refresh(identity, other.refresh_token)).status).toBe(400);
    expect((await identity.client().auth.signInWithPassword({ email, password: 'simples' })).error).toBeNull();
    expect((await identity.client().auth.signInWithPassword({ email, password: strongPassword })).error).not.toBeNull();
  });

  it('merges user metadata and refuses changes to what only the server writes', async () => {
    const { client } = await signUp(identity);
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

  it('resets a forgotten password by mail, without revealing who has an account', async () => {
    const { email } = await signUp(identity);
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

  it('never redirects a link to a foreign site', async () => {
    const { email } = await signUp(identity);
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
    const { email } = await signUp(identity);
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

  it.each(['password', 'address'])('refuses a PKCE code from before a new %s', async (what) => {
    const { email, session } = await signUp(identity);
    await markMailboxProven(identity, email);
    const verifier = 'v'.repeat(64);
    const challenge = { code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 's256' };
    expect((await call(identity, 'POST', 'recover', { body: { email, ...challenge } })).status).toBe(200);
    const opened = await fetch(linkOf(identity, await mailTo(identity, email)), { redirect: 'manual' });
    const code = new URL(opened.headers.get('location')!).searchParams.get('code')!;
    const wanted = freshEmail();
    const change = what === 'password' ? { password: 'Nova!Senha1' } : { email: wanted };
    expect((await call(identity, 'PUT', 'user', { body: change, token: session.access_token })).status).toBe(200);
    if (what === 'address') await fetch(linkOf(identity, await mailTo(identity, wanted)), { redirect: 'manual' });
    const exchanged = await call(identity, 'POST', 'token?grant_type=pkce', { body: { auth_code: code, code_verifier: verifier } });
    expect(exchanged).toMatchObject({ status: 404, body: { code: 'flow_state_not_found' } });
  });

  it('refuses a password that was changed while it was checked', async () => {
    const { user, email } = await signUp(identity);
    const database = identity.app.get(DataSource);
    const { asked } = await database.transaction(async (manager) => {
      // The same changes as by a new password.
      await manager.query(`update users set password_hash = 'new' where id = $1`, [user.id]);
      await manager.query('delete from sessions where user_id = $1', [user.id]);
      const signIn = call(identity, 'POST', 'token?grant_type=password', { body: { email, password: strongPassword } });
      await waitForRow(database);
      return { asked: signIn };
    });
    expect(await asked).toMatchObject({ status: 400, body: { code: 'invalid_credentials' } });
    expect(await database.query('select 1 from sessions where user_id = $1', [user.id])).toEqual([]);
  });

  it('changes the address only by the link sent to the new address', async () => {
    const { client, email } = await signUp(identity);
    await markMailboxProven(identity, email);
    const newEmail = freshEmail();
    const { data } = await client.auth.updateUser({ email: newEmail });
    expect(data.user).toMatchObject({ email, new_email: newEmail });
    await eventually(() => expect(identity.mails.filter(({ to }) => to === newEmail)).toHaveLength(1));
    const link = new URL(/Confirmar novo e-mail: (\S+)/.exec(identity.mails.find(({ to }) => to === newEmail)!.text)![1]!);
    await fetch(`${identity.url}/auth/v1/verify${link.search}`, { redirect: 'manual' });
    expect((await identity.client().auth.signInWithPassword({ email: newEmail, password: strongPassword })).error).toBeNull();
    expect((await identity.client().auth.signInWithPassword({ email, password: strongPassword })).error).not.toBeNull();
  });
});
