import { spawn } from 'node:child_process';
import { builtEntry, eventually, freePort, ServiceProcess } from '@decola/testing';
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
} from './support.js';

describe('logs', () => {
  let identity: IdentityUnderTest;

  beforeAll(async () => {
    identity = await startIdentity({ MAIL_GAP_SECONDS: '0' });
  });
  afterAll(() => identity?.stop());

  it('contain no address, password, code, link or token, not even at level trace', async () => {
    const port = await freePort();
    const child = spawn(process.execPath, [builtEntry('apps/identity')], {
      env: { PATH: process.env['PATH'], ...identity.environment, PORT: String(port), LOG_LEVEL: 'trace' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const own = { url: `http://127.0.0.1:${port}` };
    try {
      await eventually(async () => expect((await fetch(`${own.url}/health/ready`)).status).toBe(200), { timeoutMs: 60_000 });
      const secrets: string[] = [];
      const email = freshEmail();
      const [wrong, newPassword, newEmail] = ['Errada!Senha77', 'Outra!Senha99', freshEmail()];
      secrets.push(email, strongPassword, wrong, newPassword, newEmail, 'Maria Aparecida');
      const remember = (body: Record<string, unknown>) => {
        for (const name of ['access_token', 'refresh_token']) if (typeof body[name] === 'string') secrets.push(body[name]);
        return String(body['access_token']);
      };
      const metadata = { full_name: 'Maria Aparecida' };
      remember((await call(own, 'POST', 'signup', { body: { email, password: strongPassword, data: metadata } })).body);
      await markMailboxProven(identity, email);
      await call(own, 'POST', 'token?grant_type=password', { body: { email, password: wrong } });
      const session = await call(own, 'POST', 'token?grant_type=password', { body: { email, password: strongPassword } });
      const token = remember(session.body);
      remember(
        (await call(own, 'POST', 'token?grant_type=refresh_token', { body: { refresh_token: session.body['refresh_token'] } })).body,
      );
      await call(own, 'POST', 'recover', { body: { email } });
      const mail = await mailTo(identity, email);
      secrets.push(codeOf(mail), new URL(linkOf(own, mail)).searchParams.get('token')!);
      const followed = await fetch(linkOf(own, mail), { redirect: 'manual' });
      remember(Object.fromEntries(new URLSearchParams(new URL(followed.headers.get('location')!).hash.slice(1))));
      await call(own, 'PUT', 'user', { body: { email: newEmail }, token });
      secrets.push(new URL(linkOf(own, await mailTo(identity, newEmail))).searchParams.get('token')!);
      const factor = await call(own, 'POST', 'factors', { body: { factor_type: 'totp', friendly_name: 'Celular' }, token });
      secrets.push((factor.body['totp'] as { secret: string }).secret);
      await call(own, 'PUT', 'user', { body: { password: newPassword, current_password: wrong }, token });
      await call(own, 'PUT', 'user', { body: { password: newPassword, current_password: strongPassword }, token });
      await call(own, 'POST', 'logout?scope=global', { token });
      expect(secrets.length).toBeGreaterThan(14);
      expect(output).toContain('/auth/v1/token');
      expect(secrets.filter((secret) => output.includes(secret))).toEqual([]);
    } finally {
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('exit', resolve));
    }
  });

  it('report a failing database without the values of its queries', async () => {
    const port = await freePort();
    const own = { url: `http://127.0.0.1:${port}` };
    const service = await ServiceProcess.start('identity', { ...identity.environment, PORT: String(port), LOG_LEVEL: 'trace' });
    const database = await new DataSource({ type: 'postgres', url: identity.environment['DATABASE_URL']! }).initialize();
    try {
      // Only in this database: other tests use the same role.
      const [{ name }] = await database.query<[{ name: string }]>('select current_database() as name');
      await database.query(`alter role current_user in database "${name}" set default_transaction_read_only = on`);
      await database.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = current_user and pid <> pg_backend_pid()',
      );
      const email = freshEmail();
      const body = { email, password: strongPassword, data: { full_name: 'Maria Aparecida' } };
      await eventually(async () => {
        // A read-only database, as during a failover, is an outage: clients get 503 with Retry-After.
        const answer = await call(own, 'POST', 'signup', { body });
        expect([answer.status, Number(answer.headers.get('retry-after'))]).toEqual([503, expect.any(Number)]);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(service.log).toContain('read-only transaction');
      });
      expect([email, '$argon2', 'Maria Aparecida'].filter((secret) => service.log.includes(secret))).toEqual([]);
    } finally {
      await database.destroy();
      await service.stop();
    }
  });
});
