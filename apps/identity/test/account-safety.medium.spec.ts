import { randomUUID } from 'node:crypto';
import { clientAddressHeaders } from '@decola/service-kit';
import { authenticated, testCaller, testSigningKey } from '@decola/testing';
import { decodeJwt } from 'jose';
import { DataSource } from 'typeorm';
import { SecurityEvents, securityEventDays } from '../src/security-events/security-events.service.js';
import { type IdentityUnderTest, startIdentity, strongPassword, mailTo, markMailboxProven } from './support.js';

interface SessionRow {
  id: string;
  is_current: boolean;
  user_agent: string | null;
  ip: string | null;
  aal: string;
  created_at: string;
  refreshed_at: string;
}
interface EventRow {
  id: number;
  kind: string;
  ip: string | null;
  user_agent: string | null;
  created_at: string;
}

describe('sessions and security events as their owner sees them', () => {
  let identity: IdentityUnderTest;
  let database: DataSource;

  beforeAll(async () => {
    identity = await startIdentity({ MAIL_GAP_SECONDS: '0' });
    database = identity.app.get(DataSource);
  });
  afterAll(() => identity?.stop());

  const newPerson = async () => {
    const email = `${randomUUID().slice(0, 8)}@example.com`;
    const client = identity.client();
    const { data, error } = await client.auth.signUp({ email, password: strongPassword });
    expect(error).toBeNull();
    return { email, client, userId: data.user!.id, sessionId: sessionOf(data.session!.access_token) };
  };
  const sessionOf = (token: string) => String(decodeJwt(token)['session_id']);
  const signIn = async (email: string, headers: Record<string, string> = {}, password = strongPassword) =>
    fetch(`${identity.url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ email, password }),
    });
  const kindsOf = async (userId: string): Promise<string[]> => {
    const { data, error } = await identity
      .client(testCaller(userId))
      .from('security_events')
      .select<'*', EventRow>('*')
      .order('created_at', { ascending: false })
      .order('id', { ascending: false });
    expect(error).toBeNull();
    return data!.map(({ kind }) => kind);
  };
  const isAlive = async (sessionId: string) => (await fetch(`${identity.url}/internal/sessions/${sessionId}`)).status === 200;

  it('lists a person’s sessions, marks the current one, and shows nobody else’s', async () => {
    const ana = await newPerson();
    const bia = await newPerson();
    await signIn(ana.email, { 'user-agent': 'Firefox no Linux', ...clientAddressHeaders('198.51.100.7', testSigningKey) });
    const { data, error } = await identity
      .client(testCaller(ana.userId, { sessionId: ana.sessionId }))
      .from('user_sessions')
      .select<'*', SessionRow>('*')
      .order('created_at');
    expect(error).toBeNull();
    expect(Object.keys(data![0]!).sort()).toEqual(['aal', 'created_at', 'id', 'ip', 'is_current', 'refreshed_at', 'user_agent']);
    expect(data!.map(({ is_current }) => is_current)).toEqual([true, false]);
    expect(data![0]!.id).toBe(ana.sessionId);
    expect(data![1]).toMatchObject({ user_agent: 'Firefox no Linux', ip: '198.51.100.7', aal: 'aal1' });
    expect(data!.map(({ id }) => id)).not.toContain(bia.sessionId);
    expect((await identity.client().from('user_sessions').select('*')).status).toBe(401);
  });

  it('ends a session by deleting its row, and nobody can end another person’s', async () => {
    const ana = await newPerson();
    const bia = await newPerson();
    const other = sessionOf(((await (await signIn(ana.email)).json()) as { access_token: string }).access_token);
    const asAna = identity.client(testCaller(ana.userId, { sessionId: ana.sessionId }));
    expect(await isAlive(other)).toBe(true);
    expect((await asAna.from('user_sessions').delete().eq('id', other)).error).toBeNull();
    expect(await isAlive(other)).toBe(false);
    expect(await isAlive(ana.sessionId)).toBe(true);
    expect(await kindsOf(ana.userId)).toEqual(['session.ended', 'sign_in.password', 'sign_in.password', 'account.created']);

    await asAna.from('user_sessions').delete().eq('id', bia.sessionId);
    expect(await isAlive(bia.sessionId)).toBe(true);
    const forged = await asAna.from('user_sessions').insert({ id: randomUUID() });
    expect(forged.error).toMatchObject({ code: '42501' });
    const raised = await asAna.from('user_sessions').update({ aal: 'aal2' }).eq('id', ana.sessionId);
    expect(raised.error).toMatchObject({ code: '42501' });
    expect((await identity.client().from('user_sessions').delete().eq('id', ana.sessionId)).status).toBe(401);
    expect(await isAlive(ana.sessionId)).toBe(true);
  });

  it('records security events with IP address and user agent', async () => {
    const ana = await newPerson();
    await markMailboxProven(identity, ana.email);
    await signIn(ana.email, { 'user-agent': 'curl/8', ...clientAddressHeaders('203.0.113.9', testSigningKey) }, 'Errada!123');
    await ana.client.auth.updateUser({ password: 'Outra!Senha9' });
    await ana.client.auth.resetPasswordForEmail(ana.email);
    const recovery = await mailTo(identity, ana.email);
    const link = new URL(/https?:\/\/\S+verify\?\S+/.exec(recovery.text)![0]);
    await fetch(`${identity.url}/auth/v1/verify${link.search}`, { redirect: 'manual' });
    const newEmail = `${randomUUID().slice(0, 8)}@example.com`;
    await ana.client.auth.updateUser({ email: newEmail });
    const change = await mailTo(identity, newEmail);
    await fetch(`${identity.url}/auth/v1/verify${new URL(/https?:\/\/\S+verify\?\S+/.exec(change.text)![0]).search}`, {
      redirect: 'manual',
    });
    await ana.client.auth.signOut({ scope: 'global' });
    expect((await kindsOf(ana.userId)).reverse()).toEqual([
      'account.created',
      'sign_in.password',
      'sign_in.wrong_password',
      'password.changed',
      'recovery.requested',
      'recovery.used',
      'sign_in.otp',
      'email.change_requested',
      'email.changed',
      'sign_in.otp',
      'session.ended',
    ]);
    const { data } = await identity
      .client(testCaller(ana.userId))
      .from('security_events')
      .select<'*', EventRow>('*')
      .eq('kind', 'sign_in.wrong_password')
      .single();
    expect(data).toMatchObject({ ip: '203.0.113.9', user_agent: 'curl/8' });
  });

  it('records the origin of a request also where it is not passed as a parameter', async () => {
    const ana = await newPerson();
    const other = sessionOf(((await (await signIn(ana.email)).json()) as { access_token: string }).access_token);
    await fetch(`${identity.url}/rest/v1/user_sessions?id=eq.${other}`, {
      method: 'DELETE',
      headers: { ...authenticated(ana.userId), 'user-agent': 'Safari', ...clientAddressHeaders('2001:db8::1', testSigningKey) },
    });
    const rows = await database.query<{ ip: string; user_agent: string }[]>(
      `select ip, user_agent from security_events where user_id = $1 and kind = 'session.ended'`,
      [ana.userId],
    );
    expect(rows).toEqual([{ ip: '2001:db8::1', user_agent: 'Safari' }]);
  });

  it('ignores a client address that the gateway did not sign', async () => {
    const ana = await newPerson();
    await signIn(ana.email, { 'user-agent': 'Forjado', 'x-decola-client-ip': '198.51.100.66' });
    await signIn(ana.email, { 'user-agent': 'Forjado', ...clientAddressHeaders('198.51.100.66', Buffer.alloc(32, 9).toString('base64')) });
    const rows = await database.query<{ ip: string }[]>(`select ip from sessions where user_id = $1 and user_agent = 'Forjado'`, [
      ana.userId,
    ]);
    expect(rows.map(({ ip }) => ip)).toEqual(['127.0.0.1', '127.0.0.1']);
  });

  it('cuts long user agents and addresses', async () => {
    const ana = await newPerson();
    const answer = await signIn(ana.email, { 'user-agent': 'x'.repeat(5_000), ...clientAddressHeaders('9'.repeat(500), testSigningKey) });
    expect(answer.status).toBe(200);
    const [row] = await database.query<{ ip: number; agent: number }[]>(
      'select max(length(ip)) as ip, max(length(user_agent)) as agent from sessions where user_id = $1',
      [ana.userId],
    );
    expect(row).toEqual({ ip: 64, agent: 300 });
  });

  it('lets nobody write a history or read another person’s', async () => {
    const ana = await newPerson();
    const asAna = identity.client(testCaller(ana.userId));
    expect((await asAna.from('security_events').insert({ kind: 'role.granted' })).error).toMatchObject({ code: '42501' });
    expect((await asAna.from('security_events').delete().gt('id', 0)).error).toMatchObject({ code: '42501' });
    expect((await asAna.from('security_events').update({ kind: 'x' }).gt('id', 0)).error).toMatchObject({ code: '42501' });
    expect((await identity.client(testCaller(randomUUID())).from('security_events').select('*')).data).toEqual([]);
    expect((await identity.client().from('security_events').select('*')).status).toBe(401);
  });

  it('deletes events older than the retention time', async () => {
    const ana = await newPerson();
    await database.query(
      `insert into security_events (user_id, kind, at) select $1, 'sign_in.password', now() - make_interval(days => $2) from generate_series(1, 3)`,
      [ana.userId, securityEventDays + 1],
    );
    expect(await identity.app.get(SecurityEvents).deleteOld()).toBe(3);
    expect(await kindsOf(ana.userId)).toEqual(['sign_in.password', 'account.created']);
  });
});
