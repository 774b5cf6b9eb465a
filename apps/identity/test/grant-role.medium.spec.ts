import { spawnSync } from 'node:child_process';
import { builtEntry } from '@decola/testing';
import { decodeJwt } from 'jose';
import { DataSource } from 'typeorm';
import { call, freshEmail, type IdentityUnderTest, refresh, startIdentity, strongPassword } from './support.js';

describe('the command grant-role', () => {
  let identity: IdentityUnderTest;

  beforeAll(async () => {
    identity = await startIdentity();
  });
  afterAll(() => identity?.stop());

  const run = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [builtEntry('apps/identity', 'grant-role.command.js'), ...words], {
      env: { PATH: process.env['PATH'], DATABASE_URL: identity.database.url },
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };

  it('grants, lists and revokes a role, and records it in the person’s history', async () => {
    const email = freshEmail();
    await call(identity, 'POST', 'signup', { body: { email, password: strongPassword } });
    const rolesNow = async () => {
      const { body } = await call(identity, 'POST', 'token?grant_type=password', { body: { email, password: strongPassword } });
      return (decodeJwt(String(body['access_token']))['app_metadata'] as { roles?: string[] }).roles;
    };
    expect(run(email.toUpperCase(), 'admin_master').status).toBe(0);
    expect(run(email, 'admin_master').status).toBe(0);
    expect(run('--list').stdout).toBe(`admin_master\t${email}\n`);
    expect(await rolesNow()).toEqual(['admin_master']);
    const { body: session } = await call(identity, 'POST', 'token?grant_type=password', { body: { email, password: strongPassword } });
    expect(run('--revoke', email, 'admin').status).toBe(0);
    expect((await call(identity, 'GET', 'user', { token: String(session['access_token']) })).status).toBe(200);
    expect(run('--revoke', email, 'admin_master').status).toBe(0);
    // The token carries the role for up to an hour, but its session has ended.
    expect(await call(identity, 'GET', 'user', { token: String(session['access_token']) })).toMatchObject({
      status: 403,
      body: { code: 'session_not_found' },
    });
    expect((await refresh(identity, String(session['refresh_token']))).status).toBe(400);
    expect(run('--list').stdout).toBe('');
    expect(await rolesNow()).toBeUndefined();
    const events = await identity.app
      .get(DataSource)
      .query<{ kind: string }[]>(`select kind from security_events where kind like 'role.%' order by id`);
    expect(events.map(({ kind }) => kind)).toEqual(['role.granted', 'role.revoked']);
  });

  it.each([
    [['nobody@example.com', 'admin'], 'nobody has this address'],
    [['nobody@example.com', 'emperor'], 'usage'],
    [['--revoke', 'nobody@example.com'], 'usage'],
    [['--list', 'nobody@example.com'], 'usage'],
    [['a@example.com', 'admin', 'admin_master'], 'usage'],
    [[], 'usage'],
  ])('refuses %j', (words, message) => {
    const { status, stderr } = run(...words);
    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });
});
