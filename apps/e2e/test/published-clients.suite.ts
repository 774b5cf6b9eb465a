import net from 'node:net';
import { decodeJwt } from 'jose';
import { Secret, TOTP } from 'otpauth';
import {
  type Client,
  followed,
  mailTo,
  makeAdministrator,
  newEmail,
  newPerson,
  PageStorage,
  password,
  proveMailbox,
  publishedClients,
} from './clients.js';
import { type OwnSystem, siteOfLinks as site } from './own-system.js';

/** The code that the person's authenticator app shows `steps` half minutes from now. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
const fragmentOf = (url: URL) => new URLSearchParams(url.hash.slice(1));

/** A port on which nothing listens. */
function closedPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** What every version of the published client does here. Its last tests stop services. */
export const publishedClientsSuite = (of: () => OwnSystem) =>
  describe.each(publishedClients)('supabase-js $version', ({ open, library }) => {
    let system: OwnSystem;
    beforeAll(() => {
      system = of();
    });
    const page = (storage?: PageStorage, options?: Parameters<typeof open>[2]) => open(system, storage, options);
    const signIn = async (email: string, secret = password) => {
      const client = page();
      const { data, error } = await client.auth.signInWithPassword({ email, password: secret });
      expect(error).toBeNull();
      return { client, session: data.session! };
    };
    const isAlive = async (client: Client) => (await client.auth.getUser()).error === null;
    const eventsOf = (client: Client) => {
      const events: string[] = [];
      client.auth.onAuthStateChange((event) => events.push(event));
      return events;
    };

    describe('accounts', () => {
      it('signs up, keeps the session in the page, and finds it again after a reload', async () => {
        const storage = new PageStorage();
        const client = page(storage);
        const events = eventsOf(client);
        const { email, userId } = await newPerson(client, 'Ana Souza');
        expect(events).toContain('SIGNED_IN');
        const reloaded = page(storage);
        expect((await reloaded.auth.getSession()).data.session).toMatchObject({
          token_type: 'bearer',
          user: { id: userId, email, phone: '', aud: 'authenticated', role: 'authenticated', user_metadata: { full_name: 'Ana Souza' } },
        });
        const { data, error } = await reloaded.auth.getUser();
        expect(error).toBeNull();
        expect(data.user!.identities).toMatchObject([{ provider: 'email', user_id: userId, id: userId }]);
        const claims = await reloaded.auth.getClaims();
        expect(claims.error).toBeNull();
        expect(claims.data!.claims).toMatchObject({ sub: userId, aal: 'aal1', email, role: 'authenticated', is_anonymous: false });
      });

      it('reports errors of sign-up and sign-in with the classes and codes of the contract', async () => {
        const client = page();
        const { email } = await newPerson(page());
        const taken = await client.auth.signUp({ email, password });
        expect(taken.error).toMatchObject({
          name: 'AuthApiError',
          message: 'User already registered',
          code: 'user_already_exists',
          status: 422,
        });
        expect(library.isAuthApiError(taken.error)).toBe(true);
        const weak = await client.auth.signUp({ email: newEmail(), password: 'fraca' });
        expect(weak.error).toMatchObject({
          name: 'AuthWeakPasswordError',
          status: 422,
          code: 'weak_password',
          reasons: ['length', 'characters'],
        });
        const long = await client.auth.signUp({ email: newEmail(), password: `${password}${'á'.repeat(40)}` });
        expect(long.error).toMatchObject({ status: 400, code: 'validation_failed' });
        expect((await client.auth.signUp({ email: 'sem-arroba', password })).error).toMatchObject({
          status: 400,
          code: 'validation_failed',
        });
        for (const who of [email, newEmail()])
          expect((await client.auth.signInWithPassword({ email: who, password: 'Errada!123' })).error).toMatchObject({
            name: 'AuthApiError',
            message: 'Invalid login credentials',
            code: 'invalid_credentials',
            status: 400,
          });
        // The library refuses this without sending a request.
        expect((await client.auth.signInWithPassword({ password } as never)).error).toMatchObject({ name: 'AuthInvalidCredentialsError' });
        expect((await client.auth.updateUser({ data: {} })).error).toMatchObject({ name: 'AuthSessionMissingError' });
      });

      it('changes name and password; a new password ends the other sessions', async () => {
        const client = page();
        const events = eventsOf(client);
        const { email } = await newPerson(client);
        const elsewhere = await signIn(email);
        const renamed = await client.auth.updateUser({ data: { full_name: 'Ana Lima', tema: 'escuro' } });
        expect(renamed.data.user!.user_metadata).toMatchObject({ full_name: 'Ana Lima', tema: 'escuro', email_verified: true });
        expect((await client.auth.updateUser({ data: { tema: null } })).data.user!.user_metadata).not.toHaveProperty('tema');
        expect(events).toContain('USER_UPDATED');
        expect((await client.auth.updateUser({ password })).error).toMatchObject({ status: 422, code: 'same_password' });
        expect((await client.auth.updateUser({ password: 'abc' })).error).toMatchObject({ name: 'AuthWeakPasswordError' });
        expect((await client.auth.updateUser({ password: 'Nova!12345' })).error).toBeNull();
        expect(await isAlive(client)).toBe(true);
        expect((await elsewhere.client.auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' });
        await signIn(email, 'Nova!12345');
      });

      it('changes the address by a link to the new one', async () => {
        const client = page();
        const { email } = await newPerson(client);
        await proveMailbox(system, client, email);
        const { email: takenEmail } = await newPerson(page());
        expect((await client.auth.updateUser({ email: takenEmail })).error).toMatchObject({ status: 422, code: 'email_exists' });
        const next = newEmail();
        const { data, error } = await client.auth.updateUser({ email: next }, { emailRedirectTo: `${site}/account` });
        expect(error).toBeNull();
        expect(data.user).toMatchObject({ email, new_email: next });
        const { link } = await mailTo(system, next, /novo e-mail/);
        const target = await followed(link!);
        expect(`${target.origin}${target.pathname}`).toBe(`${site}/account`);
        expect((await client.auth.getUser()).data.user).toMatchObject({ email: next });
        expect((await client.auth.signInWithPassword({ email, password })).error).toMatchObject({ code: 'invalid_credentials' });
        // A link works only once.
        expect(fragmentOf(await followed(link!)).get('error_code')).toBe('otp_expired');
      });

      it('recovers a password by link, with the implicit flow', async () => {
        const { email } = await newPerson(page());
        const client = page();
        expect(await client.auth.resetPasswordForEmail(newEmail(), { redirectTo: `${site}/auth` })).toEqual({ data: {}, error: null });
        expect((await client.auth.resetPasswordForEmail(email, { redirectTo: `${site}/auth` })).error).toBeNull();
        const target = await followed((await mailTo(system, email, /Redefina/)).link!);
        expect(`${target.origin}${target.pathname}`).toBe(`${site}/auth`);
        const fragment = fragmentOf(target);
        expect(fragment.get('type')).toBe('recovery');
        const { error } = await client.auth.setSession({
          access_token: fragment.get('access_token')!,
          refresh_token: fragment.get('refresh_token')!,
        });
        expect(error).toBeNull();
        expect((await client.auth.updateUser({ password: 'Recuperada!1' })).error).toBeNull();
        await signIn(email, 'Recuperada!1');
      });

      it('recovers a password by link with PKCE, which only the page that asked can finish', async () => {
        const { email } = await newPerson(page());
        const storage = new PageStorage();
        const client = page(storage, { auth: { flowType: 'pkce' } });
        expect((await client.auth.resetPasswordForEmail(email, { redirectTo: `${site}/auth?aba=1` })).error).toBeNull();
        const target = await followed((await mailTo(system, email, /Redefina/)).link!);
        expect(target.searchParams.get('aba')).toBe('1');
        const code = target.searchParams.get('code')!;
        const stranger = page(undefined, { auth: { flowType: 'pkce' } });
        expect((await stranger.auth.exchangeCodeForSession(code)).error).not.toBeNull();
        const { data, error } = await client.auth.exchangeCodeForSession(code);
        expect(error).toBeNull();
        expect(data.user!.email).toBe(email);
        // The event that makes the page ask for a new password.
        expect((data as { redirectType?: string | null }).redirectType).toMatch(/recovery/i);
        expect((await client.auth.updateUser({ password: 'Recuperada!2' })).error).toBeNull();
        // The code works only once.
        expect((await client.auth.exchangeCodeForSession(code)).error).not.toBeNull();
      });

      it('ends the access of somebody who signed up with an address when its owner uses a mail', async () => {
        const stranger = page();
        const { email } = await newPerson(stranger);
        const owner = page();
        expect((await owner.auth.signInWithOtp({ email, options: { shouldCreateUser: false } })).error).toBeNull();
        const { code } = await mailTo(system, email, /acesso/);
        expect((await owner.auth.verifyOtp({ email, token: code!, type: 'email' })).error).toBeNull();
        expect(await isAlive(stranger)).toBe(false);
        expect((await stranger.auth.refreshSession()).error).not.toBeNull();
        expect((await page().auth.signInWithPassword({ email, password })).error).toMatchObject({ code: 'invalid_credentials' });
        expect((await mailTo(system, email, /nova senha/)).link).toBeNull();
        expect((await owner.auth.updateUser({ password: 'Minha!12345' })).error).toBeNull();
        await signIn(email, 'Minha!12345');
        expect(await isAlive(owner)).toBe(true);
      });

      it('signs in by code and by token hash of a mail', async () => {
        const { email } = await newPerson(page());
        const client = page();
        expect((await client.auth.signInWithOtp({ email, options: { shouldCreateUser: false } })).error).toBeNull();
        const { code, link } = await mailTo(system, email, /acesso/);
        expect((await client.auth.verifyOtp({ email, token: code === '000000' ? '000001' : '000000', type: 'email' })).error).toMatchObject(
          {
            status: 403,
            code: 'otp_expired',
          },
        );
        const { data, error } = await client.auth.verifyOtp({ email, token: code!, type: 'email' });
        expect(error).toBeNull();
        expect(decodeJwt(data.session!.access_token)['amr']).toMatchObject([{ method: 'otp' }]);
        const spent = await client.auth.verifyOtp({ token_hash: link!.searchParams.get('token')!, type: 'magiclink' });
        expect(spent.error).toMatchObject({ status: 403, code: 'otp_expired' });
        expect((await client.auth.signInWithOtp({ email: newEmail(), options: { shouldCreateUser: false } })).error).toMatchObject({
          status: 422,
          code: 'otp_disabled',
        });
        expect((await client.auth.resend({ type: 'signup', email })).error).toBeNull();
        expect((await client.auth.reauthenticate()).error).toBeNull();
        expect((await mailTo(system, email, /código de confirmação/)).code).toMatch(/^\d{6}$/);
      });

      it('reports disabled features as disabled', async () => {
        const client = page();
        expect((await client.auth.signInAnonymously()).error).toMatchObject({ status: 422, code: 'anonymous_provider_disabled' });
        expect((await client.auth.signInWithIdToken({ provider: 'google', token: 'x' })).error).toMatchObject({ status: 400 });
        expect((await client.auth.signInWithSSO({ domain: 'empresa.com' })).error).toMatchObject({
          status: 404,
          code: 'saml_provider_disabled',
        });
        expect((await client.auth.signInWithOtp({ phone: '5511999999999' })).error).toMatchObject({ code: 'phone_provider_disabled' });
        const { data } = await client.auth.signInWithOAuth({ provider: 'google', options: { skipBrowserRedirect: true } });
        expect((await fetch(data.url!)).status).toBe(400);
        await newPerson(client);
        expect((await client.auth.linkIdentity({ provider: 'google', options: { skipBrowserRedirect: true } })).error).toMatchObject({
          status: 404,
          code: 'manual_linking_disabled',
        });
      });
    });

    describe('sessions', () => {
      it('refreshes: same session, new tokens, and setSession takes them', async () => {
        const client = page();
        const events = eventsOf(client);
        const { session } = await newPerson(client);
        const { data, error } = await client.auth.refreshSession();
        expect(error).toBeNull();
        expect(events).toContain('TOKEN_REFRESHED');
        expect(data.session!.refresh_token).not.toBe(session.refresh_token);
        expect(decodeJwt(data.session!.access_token)['session_id']).toBe(decodeJwt(session.access_token)['session_id']);
        expect(data.session!.expires_at! - Date.now() / 1000).toBeGreaterThan(3_500);
        const other = page();
        expect((await other.auth.setSession(data.session!)).error).toBeNull();
        expect(await isAlive(other)).toBe(true);
      });

      it('survives 20 tabs that refresh at once, and again', async () => {
        const storage = new PageStorage();
        const { userId } = await newPerson(page(storage));
        // Separate storages, so that nothing prevents these tabs from sending the same token.
        const tabs = Array.from({ length: 20 }, () => page(storage.copy()));
        for (let round = 0; round < 2; round += 1) {
          const answers = await Promise.all(tabs.map((tab) => tab.auth.refreshSession()));
          expect(answers.map(({ error }) => error)).toEqual(tabs.map(() => null));
          expect(new Set(answers.map(({ data }) => data.session!.refresh_token)).size).toBe(1);
        }
        const users = await Promise.all(tabs.map((tab) => tab.auth.getUser()));
        expect(new Set(users.map(({ data }) => data.user?.id))).toEqual(new Set([userId]));
      });

      it('ends the whole session when a stolen refresh token is used again', async () => {
        const client = page();
        const { session, email } = await newPerson(client);
        for (let each = 0; each < 2; each += 1) expect((await client.auth.refreshSession()).error).toBeNull();
        const { access_token: latest } = (await client.auth.getSession()).data.session!;
        const thief = page();
        // While several tabs may refresh at once, an old token gets the current tokens. After that, its use is treated as theft.
        let found: { code?: string | undefined; status?: number | undefined } | null = null;
        for (const end = Date.now() + 10_000; found === null && Date.now() < end;)
          found = (await thief.auth.refreshSession({ refresh_token: session.refresh_token })).error;
        expect(found).toMatchObject({ status: 400, code: 'refresh_token_already_used' });
        expect((await client.auth.getUser(latest)).error).toMatchObject({ name: 'AuthSessionMissingError' });
        expect((await client.auth.refreshSession()).error).not.toBeNull();
        expect((await client.auth.signInWithPassword({ email, password })).error).toBeNull();
      });

      it('refuses malformed tokens', async () => {
        const client = page();
        expect((await client.auth.refreshSession({ refresh_token: 'nada' })).error).toMatchObject({
          status: 400,
          code: 'validation_failed',
        });
        expect((await client.auth.refreshSession({ refresh_token: 'A'.repeat(52) })).error).not.toBeNull();
        expect((await client.auth.getUser('a.b.c')).error).toMatchObject({ status: 403, code: 'bad_jwt' });
        const { session } = await newPerson(page());
        const forged = `${session.access_token.slice(0, -8)}AAAAAAAA`;
        expect((await client.auth.getUser(forged)).error).toMatchObject({ status: 403, code: 'bad_jwt' });
        const { error, status } = await page(undefined, { global: { headers: { Authorization: `Bearer ${forged}` } } })
          .from('profiles')
          .select('*');
        expect({ error, status }).toMatchObject({ status: 401, error: { code: 'PGRST301' } });
      });

      it('signs out of this device, of the others, or of all', async () => {
        const { email } = await newPerson(page());
        const [first, second, third] = await Promise.all([signIn(email), signIn(email), signIn(email)]);
        const events = eventsOf(first.client);
        expect((await first.client.auth.signOut({ scope: 'local' })).error).toBeNull();
        expect(events).toContain('SIGNED_OUT');
        expect((await first.client.auth.getSession()).data.session).toBeNull();
        expect((await page().auth.getUser(first.session.access_token)).error).toMatchObject({ name: 'AuthSessionMissingError' });
        expect(await isAlive(second.client)).toBe(true);
        expect((await second.client.auth.signOut({ scope: 'others' })).error).toBeNull();
        expect(await isAlive(second.client)).toBe(true);
        expect(await isAlive(third.client)).toBe(false);
        const fourth = await signIn(email);
        expect((await fourth.client.auth.signOut()).error).toBeNull();
        expect(await isAlive(second.client)).toBe(false);
        // Signing out twice is not an error.
        expect((await second.client.auth.signOut()).error).toBeNull();
        expect((await second.client.auth.getSession()).data.session).toBeNull();
        expect((await page().auth.refreshSession({ refresh_token: second.session.refresh_token })).error).toMatchObject({ status: 400 });
      });
    });

    it('protects an account by a second factor: only sessions that verified it can read data', async () => {
      const client = page();
      const events = eventsOf(client);
      const { email, userId } = await newPerson(client);
      // The mailbox must be proven first: somebody else may have signed up with this address.
      expect((await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Celular' })).error).toMatchObject({
        name: 'AuthApiError',
        status: 403,
        code: 'email_not_confirmed',
      });
      await proveMailbox(system, client, email);
      const { data: factor, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Celular' });
      expect(error).toBeNull();
      expect(factor!.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg/);
      const { secret } = factor!.totp;
      const { data: challenge } = await client.auth.mfa.challenge({ factorId: factor!.id });
      expect(
        (await client.auth.mfa.verify({ factorId: factor!.id, challengeId: challenge!.id, code: codeOf(secret, 40) })).error,
      ).toMatchObject({ status: 422, code: 'mfa_verification_failed' });
      expect((await client.auth.mfa.verify({ factorId: factor!.id, challengeId: challenge!.id, code: codeOf(secret) })).error).toBeNull();
      expect(events).toContain('MFA_CHALLENGE_VERIFIED');
      expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ currentLevel: 'aal2', nextLevel: 'aal2' });
      expect((await client.from('profiles').select('user_id').single()).data).toEqual({ user_id: userId });

      const next = await signIn(email);
      expect((await next.client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' });
      expect(await next.client.from('profiles').select('*')).toMatchObject({ status: 403, error: { code: 'insufficient_aal' } });
      const invoked = await next.client.functions.invoke('check-subscription');
      expect(invoked.error).toBeInstanceOf(library.FunctionsHttpError);
      expect(await (invoked.error as { context: Response }).context.json()).toMatchObject({ code: 'insufficient_aal' });
      expect((await next.client.auth.updateUser({ password: 'Outra!12345' })).error).toMatchObject({
        status: 401,
        code: 'insufficient_aal',
      });
      const { data: listed } = await next.client.auth.mfa.listFactors();
      expect(listed!.totp).toMatchObject([{ id: factor!.id, status: 'verified' }]);
      // The code of the next half minute, because the current one has been used.
      const raised = await next.client.auth.mfa.challengeAndVerify({ factorId: factor!.id, code: codeOf(secret, 1) });
      expect(raised.error).toBeNull();
      expect((await next.client.from('profiles').select('user_id').single()).data).toEqual({ user_id: userId });
      expect((await next.client.auth.refreshSession()).error).toBeNull();
      expect((await next.client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ currentLevel: 'aal2' });
      expect((await next.client.auth.mfa.unenroll({ factorId: factor!.id })).error).toBeNull();
      expect((await next.client.auth.refreshSession()).error).toBeNull();
      expect((await next.client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' });
      expect((await next.client.from('profiles').select('user_id').single()).data).toEqual({ user_id: userId });
    });

    describe('data', () => {
      let ana: Client, bia: Client, anaId: string, biaId: string;
      beforeAll(async () => {
        [ana, bia] = [page(), page()];
        [anaId, biaId] = [(await newPerson(ana, 'Ana')).userId, (await newPerson(bia, 'Bia')).userId];
      });

      it('selects one row, none, or many, with related rows', async () => {
        const one = await ana.from('profiles').select('full_name,subscription_plans(name,max_slots)').eq('user_id', anaId).single();
        expect(one).toMatchObject({ status: 200, error: null, data: { full_name: 'Ana', subscription_plans: null } });
        expect((await ana.from('profiles').select('*').eq('user_id', biaId).maybeSingle()).data).toBeNull();
        expect(await ana.from('profiles').select('*').eq('user_id', biaId).single()).toMatchObject({
          status: 406,
          error: { code: 'PGRST116' },
        });
        const plans = await page().from('subscription_plans').select('key,max_slots').order('max_slots', { ascending: false });
        expect(plans.error).toBeNull();
        expect(plans.data!.length).toBeGreaterThan(1);
        expect(plans.data!.map(({ max_slots }) => Number(max_slots))).toEqual(
          plans.data!.map(({ max_slots }) => Number(max_slots)).sort((a, b) => b - a),
        );
        expect(await ana.from('profiles').select('nenhuma')).toMatchObject({ status: 400, error: { code: '42703' } });
        expect(await ana.from('nenhuma').select('*')).toMatchObject({ status: 404, error: { code: 'PGRST205' } });
      });

      it('updates writable columns of one’s own rows, and no rows of others', async () => {
        expect(await ana.from('profiles').update({ full_name: 'Ana Maria' }).eq('user_id', anaId)).toMatchObject({
          status: 204,
          error: null,
        });
        const shaped = await ana.from('profiles').update({ full_name: 'Ana Lia' }).eq('user_id', anaId).select('full_name').single();
        expect(shaped.data).toEqual({ full_name: 'Ana Lia' });
        expect((await ana.from('profiles').update({ full_name: 'Roubada' }).eq('user_id', biaId).select()).data).toEqual([]);
        expect((await bia.from('profiles').select('full_name').single()).data).toEqual({ full_name: 'Bia' });
        expect((await ana.from('profiles').update({ subscription_status: 'active' }).eq('user_id', anaId)).error).toMatchObject({
          code: '42501',
        });
      });

      it('inserts, counts, filters, pages and deletes', async () => {
        const words = ['marketing digital', 'SEO, local', 'vendas+', 'ação'];
        const inserted = await ana
          .from('user_keywords')
          .insert(words.map((keyword) => ({ user_id: anaId, keyword })))
          .select('keyword');
        expect(inserted).toMatchObject({ status: 201, error: null });
        expect(inserted.data!.map(({ keyword }) => String(keyword)).sort()).toEqual([...words].sort());
        const counted = await ana.from('user_keywords').select('*', { count: 'exact', head: true });
        expect(counted).toMatchObject({ count: 4, data: null, error: null });
        const paged = await ana.from('user_keywords').select('keyword', { count: 'exact' }).order('keyword').range(0, 1);
        expect(paged).toMatchObject({ status: 206, count: 4 });
        expect(paged.data).toHaveLength(2);
        expect((await ana.from('user_keywords').select('keyword').in('keyword', ['SEO, local', 'vendas+'])).data).toHaveLength(2);
        expect((await ana.from('user_keywords').select('keyword').or('keyword.ilike.%ção%,keyword.eq.vendas+')).data).toHaveLength(2);
        expect((await ana.from('user_keywords').select('keyword').not('keyword', 'like', '%a%').order('keyword')).error).toBeNull();
        expect((await ana.from('user_keywords').select('keyword').eq('keyword', 'ação').csv()).data!.trim()).toBe('keyword\nação');
        expect((await bia.from('user_keywords').select('*')).data).toEqual([]);
        expect((await bia.from('user_keywords').insert({ user_id: anaId, keyword: 'intrusa' })).error).toMatchObject({ code: '42501' });
        expect((await ana.from('user_keywords').insert({ user_id: anaId, keyword: 'ação' })).error).toMatchObject({ code: '23505' });
        expect(await ana.from('user_keywords').delete().eq('keyword', 'ação')).toMatchObject({ status: 204, error: null });
        expect((await ana.from('user_keywords').delete().gte('keyword', '').select('id')).data).toHaveLength(3);
      });

      it('upserts by the primary key and by another unique key', async () => {
        const row = { user_id: anaId, token: 'primeiro', token_type: 'webhook' };
        const made = await ana.from('user_tokens').upsert(row, { onConflict: 'user_id,token_type' }).select().single();
        expect(made).toMatchObject({ status: 201, error: null, data: row });
        const merged = await ana
          .from('user_tokens')
          .upsert({ ...row, token: 'segundo' }, { onConflict: 'user_id,token_type' })
          .select()
          .single();
        expect(merged).toMatchObject({ status: 200, error: null, data: { id: (made.data as { id: string }).id, token: 'segundo' } });
        const ignored = await ana
          .from('user_tokens')
          .upsert({ ...row, token: 'terceiro' }, { onConflict: 'user_id,token_type', ignoreDuplicates: true })
          .select();
        expect(ignored.data).toEqual([]);
        expect((await ana.from('user_tokens').select('token')).data).toEqual([{ token: 'segundo' }]);
      });

      it('calls functions of the database', async () => {
        expect(await ana.rpc('get_available_slots', { p_user_id: anaId })).toMatchObject({ status: 200, data: 0 });
        expect((await ana.rpc('get_available_slots', { p_user_id: biaId })).error).toMatchObject({ code: '42501' });
        expect((await ana.rpc('generate_random_token')).data).toMatch(/^[\w-]{43}$/);
        expect((await ana.rpc('get_extracted_slots', { p_user_id: anaId, p_allowed_types: ['auto_follow'] })).data).toEqual([]);
        expect(await page().rpc('increment_article_views', { article_slug: 'nenhum' })).toMatchObject({ status: 204, error: null });
        expect((await ana.rpc('nenhuma')).error).toMatchObject({ code: 'PGRST202' });
      });

      it('writes the blog as an administrator, and reads it as anybody', async () => {
        const editor = page();
        const { email } = await newPerson(editor);
        await makeAdministrator(system, editor, email);
        const slug = `artigo-${email.slice(0, 8)}`;
        const article = { slug, title: 'Vendas sem pressa', content: '<p>Olá</p><script>1</script>', tags: ['vendas'], published: true };
        const made = await editor.from('blog_articles').insert(article).select('id,content,tags,published').single();
        expect(made).toMatchObject({ status: 201, error: null, data: { content: '<p>Olá</p>', tags: ['vendas'], published: true } });
        expect((await page().from('blog_articles').select('title').eq('slug', slug).single()).data).toEqual({ title: 'Vendas sem pressa' });
        expect(await page().rpc('increment_article_views', { article_slug: slug })).toMatchObject({ status: 204, error: null });
        expect(await editor.from('blog_articles').upsert({ ...article, title: 'Vendas com calma' }, { onConflict: 'slug' })).toMatchObject({
          status: 200,
          error: null,
        });
        expect((await ana.from('blog_articles').select('title').contains('tags', ['vendas']).eq('slug', slug)).data).toEqual([
          { title: 'Vendas com calma' },
        ]);
        expect((await editor.functions.invoke('clean-blog-articles')).data).toMatchObject({ success: true });
        const refused = await ana.functions.invoke('clean-blog-articles');
        expect((refused.error as { context: Response }).context.status).toBe(403);
        for (const table of ['article_runs', 'topics']) expect((await editor.from(table).select('*')).error).toBeNull();
        expect(await editor.from('blog_articles').delete().eq('slug', slug)).toMatchObject({ status: 204, error: null });
        expect((await page().from('blog_articles').select('id').eq('slug', slug)).data).toEqual([]);
      });

      it('lists a person’s sessions and ends one of them', async () => {
        const client = page();
        const { email } = await newPerson(client);
        const other = await signIn(email);
        const { data: sessions } = await client.from('user_sessions').select('id,is_current').order('created_at');
        expect(sessions!.map(({ is_current }) => Boolean(is_current))).toEqual([true, false]);
        const { error } = await client
          .from('user_sessions')
          .delete()
          .eq('id', sessions![1]!.id as string);
        expect(error).toBeNull();
        expect(await isAlive(other.client)).toBe(false);
        const { data: events } = await client.from('security_events').select('kind').order('created_at');
        expect(events!.map(({ kind }) => kind as string)).toContain('account.created');
      });
    });

    describe('server functions', () => {
      it('answer a signed-in person, and refuse anonymous callers', async () => {
        const client = page();
        await newPerson(client);
        const { data, error } = await client.functions.invoke('check-subscription');
        expect(error).toBeNull();
        expect(data).toMatchObject({ subscribed: false, plan_name: null, max_slots: 0, subscription_end: null, is_trial: false });
        const anonymous = await page().functions.invoke('check-subscription');
        expect(anonymous.error).toBeInstanceOf(library.FunctionsHttpError);
        const { context } = anonymous.error as { context: Response };
        expect(context.status).toBe(401);
        expect(await context.json()).toMatchObject({ code: 'not_authenticated' });
        const unknown = await client.functions.invoke('nenhuma');
        expect((unknown.error as { context: Response }).context.status).toBe(404);
      });

      it('lead to the checkout of a plan', async () => {
        const client = page();
        await newPerson(client);
        const { data: plan } = await client.from('subscription_plans').select('price_id').limit(1).single();
        const { data, error } = await client.functions.invoke('create-checkout', { body: { price_id: plan!.price_id as string } });
        expect(error).toBeNull();
        expect((data as { url: string }).url).toMatch(/^http/);
        const bad = await client.functions.invoke('create-checkout', { body: { price_id: 'price_nenhum' } });
        expect((bad.error as { context: Response }).context.status).toBe(400);
      });

      it('delete an account only with its password', async () => {
        const client = page();
        const { email } = await newPerson(client);
        const wrong = await client.functions.invoke('delete-account', { body: { password: 'Errada!123' } });
        expect(wrong.data).toEqual({ success: false, error: 'Senha incorreta.' });
        expect((await client.functions.invoke('delete-account', { body: { password } })).data).toEqual({ success: true });
        expect(await isAlive(client)).toBe(false);
        expect((await client.auth.signInWithPassword({ email, password })).error).toMatchObject({ code: 'invalid_credentials' });
      });
    });

    describe('trouble', () => {
      it('distinguishes a server that cannot be reached from one that refuses', async () => {
        // The library also writes the error to the console.
        const told = jest.spyOn(console, 'error').mockImplementation(() => undefined);
        const nowhere = open({ gateway: `http://127.0.0.1:${await closedPort()}`, publishableKey: system.publishableKey });
        const { error } = await nowhere.auth.signInWithPassword({ email: newEmail(), password });
        expect(error).toMatchObject({ name: 'AuthRetryableFetchError', status: 0 });
        expect((await nowhere.functions.invoke('check-subscription')).error).toBeInstanceOf(library.FunctionsFetchError);
        told.mockRestore();
        const keyless = open({ ...system, publishableKey: 'sb_publishable_wrong' });
        expect((await keyless.auth.signInWithPassword({ email: newEmail(), password })).error).toMatchObject({ status: 401 });
        expect(await keyless.from('subscription_plans').select('*')).toMatchObject({ status: 401 });
      });

      it('keeps a session while identity and billing are down', async () => {
        const client = page();
        await newPerson(client);
        await system.order('stop', 'billing');
        const away = await client.functions.invoke('check-subscription');
        expect(away.error).toBeInstanceOf(library.FunctionsRelayError);
        expect((away.error as { context: Response }).context.status).toBe(503);
        await system.order('stop', 'identity');
        expect((await client.auth.getUser()).error).toMatchObject({ name: 'AuthRetryableFetchError', status: 503 });
        expect((await client.auth.getSession()).data.session).not.toBeNull();
        await Promise.all([system.order('start', 'identity'), system.order('start', 'billing')]);
        expect(await isAlive(client)).toBe(true);
        expect((await client.functions.invoke('check-subscription')).error).toBeNull();
      });
    });
  });
