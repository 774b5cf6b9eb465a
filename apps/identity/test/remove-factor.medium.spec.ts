import { eventually, runCommand } from '@decola/testing';
import { Secret, TOTP } from 'otpauth';
import { DataSource } from 'typeorm';
import { freshEmail, type IdentityUnderTest, mailTo, markMailboxProven, startIdentity, strongPassword } from './support.js';

describe('the command remove-factor', () => {
  let identity: IdentityUnderTest;
  let database: DataSource;

  beforeAll(async () => {
    identity = await startIdentity();
    database = identity.app.get(DataSource);
  });
  afterAll(() => identity?.stop());

  const run = (...words: string[]) => runCommand('identity', 'remove-factor', identity.environment, words);
  const countOf = async (table: string, userId: string) =>
    (await database.query<[{ n: number }]>(`select count(*)::int as n from ${table} where user_id = $1`, [userId]))[0].n;

  const newPerson = async () => {
    const email = freshEmail();
    const client = identity.client();
    const { data } = await client.auth.signUp({ email, password: strongPassword });
    await markMailboxProven(identity, email);
    return { email, client, userId: data.user!.id };
  };
  const protectedPerson = async () => {
    const person = await newPerson();
    const { data } = await person.client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Celular' });
    const code = new TOTP({ secret: Secret.fromBase32(data!.totp.secret) }).generate();
    expect((await person.client.auth.mfa.challengeAndVerify({ factorId: data!.id, code })).error).toBeNull();
    await person.client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Outro, sem código ainda' });
    return person;
  };

  it('removes all factors, ends every session, sends a mail and records it', async () => {
    const [ana, bia] = [await protectedPerson(), await protectedPerson()];
    expect(await run(ana.email.toUpperCase())).toMatchObject({ status: 0, stdout: expect.stringContaining('removed') });
    expect(await countOf('factors', ana.userId)).toBe(0);
    expect(await countOf('sessions', ana.userId)).toBe(0);
    expect((await ana.client.auth.getUser()).error).not.toBeNull();
    const events = await database.query<{ kind: string; ip: string | null }[]>(
      `select kind, ip from security_events where user_id = $1 order by id desc limit 2`,
      [ana.userId],
    );
    expect(events).toEqual([
      { kind: 'session.ended', ip: null },
      { kind: 'factor.removed', ip: null },
    ]);
    const mail = await mailTo(identity, ana.email);
    expect(mail.subject).toBe('Verificação em duas etapas desativada');
    for (const part of [mail.text, mail.html]) expect(part).toContain('removeu o aplicativo autenticador da sua conta');
    // The password is enough again, and nobody else is affected.
    const again = identity.client();
    expect((await again.auth.signInWithPassword({ email: ana.email, password: strongPassword })).error).toBeNull();
    expect((await again.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ nextLevel: 'aal1' });
    expect(await countOf('factors', bia.userId)).toBe(2);
    expect((await bia.client.auth.getUser()).error).toBeNull();
    await eventually(async () => expect(await database.query('select 1 from mail_outbox')).toEqual([]));
    expect(identity.mails.map(({ to }) => to)).toEqual([ana.email]);
  });

  it('clears the limit on wrong codes: a new factor accepts its codes at once', async () => {
    const { email, client, userId } = await protectedPerson();
    const [{ id }] = await database.query<[{ id: string }]>(`select id from factors where user_id = $1 and status = 'verified'`, [userId]);
    await database.query('update factors set wrong_codes = 50, wrong_codes_since = now() where id = $1', [id]);
    await database.query(`insert into security_events (user_id, kind) select $1, 'factor.wrong_code' from generate_series(1, 10)`, [
      userId,
    ]);
    expect((await client.auth.mfa.challengeAndVerify({ factorId: id, code: '000000' })).error).toMatchObject({ status: 429 });
    expect((await run(email)).status).toBe(0);
    const again = identity.client();
    expect((await again.auth.signInWithPassword({ email, password: strongPassword })).error).toBeNull();
    const { data } = await again.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Novo' });
    const code = new TOTP({ secret: Secret.fromBase32(data!.totp.secret) }).generate();
    expect((await again.auth.mfa.challengeAndVerify({ factorId: data!.id, code })).error).toBeNull();
  });

  it('fails for a person without a second factor', async () => {
    const { email, client, userId } = await newPerson();
    await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Sem código ainda' });
    expect(await run(email)).toMatchObject({ status: 1, stderr: 'this person has no second factor\n' });
    expect((await client.auth.getUser()).error).toBeNull();
    expect(await countOf('factors', userId)).toBe(1);
  });

  it('changes nothing when its mail cannot be queued', async () => {
    const { email, userId } = await protectedPerson();
    await database.query('alter table mail_outbox rename to mail_outbox_away');
    try {
      expect((await run(email)).status).toBe(1);
    } finally {
      await database.query('alter table mail_outbox_away rename to mail_outbox');
    }
    expect(await countOf('factors', userId)).toBe(2);
    expect(await countOf('sessions', userId)).toBe(1);
  });

  it.each([
    [['nobody@example.com'], {}, 'nobody has this address'],
    [[], {}, 'usage'],
    [['a@example.com', 'b@example.com'], {}, 'usage'],
    [['a@example.com'], { MAIL_KEY_RING: '' }, 'MAIL_KEY_RING'],
  ])('refuses %j %j', async (words, changes, message) => {
    const { status, stderr } = await runCommand('identity', 'remove-factor', { ...identity.environment, ...changes }, words);
    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });
});
