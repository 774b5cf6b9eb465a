import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { decodeJwt } from 'jose';
import { DataSource } from 'typeorm';
import { call, freshEmail, type IdentityUnderTest, startIdentity, strongPassword } from './support.js';

jest.setTimeout(120_000);

const root = path.resolve(__dirname, '../../..');

describe('the command that gives roles', () => {
  let identity: IdentityUnderTest;

  beforeAll(async () => {
    const built = spawnSync(process.execPath, ['tools/build.mjs', 'apps/identity'], { cwd: root, encoding: 'utf8' });
    expect([built.status, built.stderr]).toEqual([0, expect.any(String)]);
    identity = await startIdentity();
  });
  afterAll(() => identity.stop());

  const run = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [path.join(root, 'apps/identity/dist/grant-role.command.js'), ...words],
      {
        env: { PATH: process.env['PATH'], DATABASE_URL: identity.database.url },
        encoding: 'utf8',
      },
    );
    return { status, stdout, stderr };
  };

  it('gives, shows and takes a role, and the person reads of it in the history', async () => {
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
    expect(run('--revoke', email, 'admin_master').status).toBe(0);
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
