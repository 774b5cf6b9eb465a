import { randomUUID } from 'node:crypto';
import { subscriptionChanged } from '@decola/contracts';
import { accountExportOf, collectEvents, eventually, publishTestEvent, runCommand, testCaller, tracesOf } from '@decola/testing';
import { FunctionsHttpError } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import { DataSource } from 'typeorm';
import { eraseAccount } from '../src/account/account-erasure.js';
import { type IdentityUnderTest, startIdentity, strongPassword } from './support.js';

describe('erasing an account', () => {
  let identity: IdentityUnderTest;
  let database: DataSource;

  beforeAll(async () => {
    identity = await startIdentity({ MAIL_GAP_SECONDS: '0' });
    database = identity.app.get(DataSource);
  });
  afterAll(() => identity?.stop());

  /** A person with a row in every table of identity that can have one. */
  const newPerson = async () => {
    const mark = randomUUID().slice(0, 8);
    const email = `${mark}@example.com`;
    const values = {
      email,
      name: `Ana ${mark}`,
      newEmail: `nova-${mark}@example.net`,
      agent: `Navegador/${mark}`,
      metadata: `cidade-${mark}`,
      factor: `Celular ${mark}`,
    };
    const client = identity.client();
    const { data, error } = await client.auth.signUp({
      email,
      password: strongPassword,
      options: { data: { full_name: values.name, city: values.metadata } },
    });
    expect(error).toBeNull();
    const userId = data.user!.id;
    const second = await fetch(`${identity.url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': values.agent },
      body: JSON.stringify({ email, password: strongPassword }),
    });
    const secondSession = String(decodeJwt(((await second.json()) as { access_token: string }).access_token)['session_id']);
    await client.auth.resetPasswordForEmail(email);
    await client.auth.updateUser({ email: values.newEmail });
    await database.query(`insert into factors (id, user_id, friendly_name, sealed_secret) values (gen_random_uuid(), $1, $2, $3)`, [
      userId,
      values.factor,
      `sealed-${mark}`,
    ]);
    await database.query(`insert into user_roles (user_id, role) values ($1, 'admin')`, [userId]);
    await database.query(
      `insert into auth_codes (code_digest, user_id, method, code_challenge, code_challenge_method) values ($1, $2, 'otp', 'x', 'plain')`,
      [Buffer.from(mark), userId],
    );
    return { client, email, userId, secondSession, values: { ...values, id: userId } };
  };
  const asPerson = (userId: string) => identity.client(testCaller(userId));
  const erase = (userId: string, password: unknown = strongPassword) =>
    asPerson(userId).functions.invoke<{ success: boolean; error?: string }>('delete-account', { body: { password } });
  const people = () => database.query('select id from users order by id');

  it('deletes everything about the person, ends their sessions and publishes user.deleted', async () => {
    const ana = await newPerson();
    const bia = await newPerson();
    const before = await tracesOf(identity.database.url, ana.values);
    for (const table of [
      'users',
      'identities',
      'sessions',
      'one_time_tokens',
      'auth_codes',
      'security_events',
      'profiles',
      'factors',
      'user_roles',
      'outbox',
    ])
      expect(before.some((trace) => trace.startsWith(`${table}:`))).toBe(true);
    const heard = await collectEvents(identity.broker.url, 'user.deleted');

    const { data, error } = await erase(ana.userId);
    expect(error).toBeNull();
    expect(data).toEqual({ success: true });

    await eventually(() => expect(heard.events.map(({ payload }) => payload['userId'])).toEqual([ana.userId]));
    await heard.dispose();
    // The published event carries the person's id; it is deleted from the outbox within an hour.
    expect(await tracesOf(identity.database.url, ana.values)).toEqual(['outbox: id']);
    expect(await database.query('select type from outbox where subject = $1', [ana.userId])).toEqual([{ type: 'user.deleted' }]);
    expect(await database.query(`select user_id, ip, user_agent from security_events where kind = 'account.erased'`)).toEqual([
      { user_id: null, ip: null, user_agent: null },
    ]);
    expect((await fetch(`${identity.url}/internal/sessions/${ana.secondSession}`)).status).toBe(404);
    expect((await ana.client.auth.getUser()).error).toMatchObject({ code: 'user_not_found' });
    expect((await ana.client.auth.refreshSession()).error).not.toBeNull();
    expect((await ana.client.auth.signInWithPassword({ email: ana.email, password: strongPassword })).error).toMatchObject({
      code: 'invalid_credentials',
    });
    expect((await tracesOf(identity.database.url, { email: bia.email })).length).toBeGreaterThan(3);
    // The address is free: signing up again creates another person.
    const again = await identity.client().auth.signUp({ email: ana.email, password: strongPassword });
    expect(again.error).toBeNull();
    expect(again.data.user!.id).not.toBe(ana.userId);
  });

  it('can follow an export of everything that is stored, without secrets and without other people’s data', async () => {
    const ana = await newPerson();
    const bia = await newPerson();
    const files = await accountExportOf(identity.url, ana.userId);
    const parsed = (name: string) => JSON.parse(files[name]!) as Record<string, unknown>[];
    expect(parsed('conta/cadastro.json')).toMatchObject([
      { id: ana.userId, email: ana.email, novo_email_pedido: ana.values.newEmail, nome: ana.values.name, tem_senha: true },
    ]);
    expect(parsed('conta/formas-de-entrar.json')).toMatchObject([{ forma: 'email' }]);
    expect(parsed('conta/autenticadores.json')).toMatchObject([{ nome: ana.values.factor, situacao: 'unverified' }]);
    expect(parsed('conta/funcoes.json')).toMatchObject([{ funcao: 'admin' }]);
    expect(parsed('conta/sessoes.json').map(({ navegador }) => navegador)).toContain(ana.values.agent);
    expect(parsed('conta/historico-de-seguranca.json').map(({ acontecimento }) => acontecimento)).toEqual(
      expect.arrayContaining(['account.created', 'sign_in.password', 'recovery.requested', 'email.change_requested', 'account.exported']),
    );
    const text = JSON.stringify(files);
    const [{ hash, key, digest }] = await database.query<[{ hash: string; key: Buffer; digest: Buffer }]>(
      `select u.password_hash as hash, s.refresh_key as key, t.token_digest as digest from users u join sessions s on s.user_id = u.id
       join one_time_tokens t on t.user_id = u.id where u.id = $1`,
      [ana.userId],
    );
    for (const secret of [hash, key.toString('hex'), digest.toString('hex'), 'argon2', 'sealed']) expect(text).not.toContain(secret);
    for (const foreign of [bia.userId, bia.email, bia.values.name]) expect(text).not.toContain(foreign);
    expect((await fetch(`${identity.url}/internal/account-export`)).status).toBe(401);
  });

  it('asks for the password and refuses a wrong one', async () => {
    const ana = await newPerson();
    const before = await people();
    expect((await erase(ana.userId, 'Errada!123')).data).toEqual({ success: false, error: 'Senha incorreta.' });
    for (const nonsense of [undefined, 7, null]) {
      const { error } = await asPerson(ana.userId).functions.invoke('delete-account', { body: { password: nonsense } });
      expect((error as FunctionsHttpError).context).toMatchObject({ status: 400 });
    }
    const anonymous = await identity.client().functions.invoke('delete-account', { body: { password: strongPassword } });
    expect((anonymous.error as FunctionsHttpError).context).toMatchObject({ status: 401 });
    expect(await people()).toEqual(before);
  });

  it('needs a session at aal2 when the account has a second factor', async () => {
    const ana = await newPerson();
    await database.query(`update factors set status = 'verified' where user_id = $1`, [ana.userId]);
    const refused = ((await erase(ana.userId)).error as FunctionsHttpError).context as Response;
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ code: 'insufficient_aal' });
    const { data } = await identity
      .client(testCaller(ana.userId, { aal: 'aal2' }))
      .functions.invoke('delete-account', { body: { password: strongPassword } });
    expect(data).toEqual({ success: true });
    expect(await tracesOf(identity.database.url, ana.values)).toEqual(['outbox: id']);
  });

  it('limits guesses of the password, for a stolen session', async () => {
    const ana = await newPerson();
    const tries = await Promise.all(Array.from({ length: 12 }, (_, index) => erase(ana.userId, `Errada!${index}`)));
    expect(tries.filter(({ data }) => data?.error === 'Senha incorreta.').length).toBeLessThanOrEqual(5);
    const right = await erase(ana.userId);
    const refused = (right.error as FunctionsHttpError).context as Response;
    expect(refused.status).toBe(429);
    expect(await refused.json()).toEqual({ error: 'Muitas tentativas. Aguarde um instante e tente novamente.', code: 'too_many_requests' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('happens once when it is requested many times at once', async () => {
    const ana = await newPerson();
    const heard = await collectEvents(identity.broker.url, 'user.deleted');
    const answers = await Promise.all([1, 2, 3, 4].map(() => erase(ana.userId)));
    expect(answers.some(({ data }) => data?.success)).toBe(true);
    await eventually(() => expect(heard.events).toHaveLength(1));
    await heard.dispose();
    expect(await database.query(`select 1 from outbox where subject = $1 and type = 'user.deleted'`, [ana.userId])).toHaveLength(1);
  });

  it('changes nothing when it fails half-way', async () => {
    const ana = await newPerson();
    // A mail that is sent during the test would be missing in the comparison.
    await eventually(async () => expect(await database.query('select 1 from mail_outbox')).toEqual([]));
    const before = await tracesOf(identity.database.url, ana.values);
    const failing = { add: () => Promise.reject(new Error('the process dies here')) };
    const accepting = { add: () => Promise.resolve() };
    await expect(
      database.transaction((manager) => eraseAccount(manager, { outbox: accepting, mails: failing }, ana.userId, new Date())),
    ).rejects.toThrow('the process dies here');
    expect(await tracesOf(identity.database.url, ana.values)).toEqual(before);
    expect((await erase(ana.userId)).data).toEqual({ success: true });
  });

  it('is not undone by events that arrive late', async () => {
    const ana = await newPerson();
    await erase(ana.userId);
    await publishTestEvent(
      identity.broker.url,
      subscriptionChanged,
      {
        user_id: ana.userId,
        sequence: 9,
        cause: 'account_deleted',
        state: {
          subscribed: false,
          plan_id: null,
          plan_key: null,
          plan_name: null,
          max_slots: 0,
          subscription_status: null,
          subscription_end: null,
          is_trial: false,
          trial_ends_at: null,
          is_canceled: false,
          is_past_due: false,
          will_renew: false,
        },
        previous: null,
      },
      { id: ana.userId },
    );
    await eventually(async () => expect(await database.query('select 1 from inbox where message_id = $1', [ana.userId])).toHaveLength(1));
    await database.query('delete from inbox where message_id = $1', [ana.userId]);
    expect(await tracesOf(identity.database.url, ana.values)).toEqual(['outbox: id']);
  });

  it('can be done by operators, with the same result', async () => {
    const ana = await newPerson();
    const run = (email: string) => runCommand('identity', 'erase-account', identity.environment, [email]);
    const heard = await collectEvents(identity.broker.url, 'user.deleted');
    expect(await run('ninguem@example.com')).toMatchObject({ status: 1, stderr: 'nobody has this address\n' });
    expect(await run(ana.email.toUpperCase())).toMatchObject({ status: 0, stdout: expect.stringContaining('erased') });
    await eventually(() => expect(heard.events.map(({ payload }) => payload['userId'])).toEqual([ana.userId]));
    await heard.dispose();
    expect(await tracesOf(identity.database.url, ana.values)).toEqual(['outbox: id']);
  });
});
