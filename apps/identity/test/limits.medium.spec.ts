import argon2 from 'argon2';
import { DataSource } from 'typeorm';
import { call, codeOf, endWaits, freshEmail, type IdentityUnderTest, linkOf, mailTo, startIdentity, strongPassword } from './support.js';

/** Attempts that need not wait, and wrong attempts from all networks that are an attack (`attempt-limits.service.ts`). */
const freeAttempts = 5;
const attackThreshold = 50;

describe('limits on guessing', () => {
  let identity: IdentityUnderTest;

  beforeAll(async () => {
    identity = await startIdentity();
  });
  afterAll(() => identity?.stop());

  const home = '198.51.100.7';
  const signUp = async () => {
    const email = freshEmail();
    expect((await call(identity, 'POST', 'signup', { body: { email, password: strongPassword }, ip: home })).status).toBe(200);
    return email;
  };
  const signIn = (email: string, password: string, ip: string) =>
    call(identity, 'POST', 'token?grant_type=password', { body: { email, password }, ip });
  const tally = (answers: { status: number; body: Record<string, unknown> }[]) => {
    const counts: Record<string, number> = {};
    for (const { status, body } of answers) {
      const key = `${status} ${String(body['code'])}`;
      counts[key] = (counts[key] ?? 0) + 1;
    }
    return counts;
  };
  /**
   * How many attempts of one network may have been checked since then: the free ones, one before their wait began, and one after each wait
   * of 1, 2, 4 … seconds that ended meanwhile.
   */
  const mostCheckedSince = (began: number) => freeAttempts + 1 + Math.floor(Math.log2((performance.now() - began) / 1_000 + 1));
  /** `count` wrong passwords at the same moment. */
  const guess = (email: string, count: number, ipOf: (index: number) => string) =>
    Promise.all(Array.from({ length: count }, (_, index) => signIn(email, `Errada!${index}a`, ipOf(index))));
  /** How many of them were checked. Each of the others must have been told to wait. */
  const checkedOf = (answers: Awaited<ReturnType<typeof guess>>) => {
    const { '400 invalid_credentials': checked = 0, '429 over_request_rate_limit': limited = 0, ...others } = tally(answers);
    expect(others).toEqual({});
    expect(checked + limited).toBe(answers.length);
    return checked;
  };

  it('checks a handful of many wrong passwords from one address, and accepts the right one a moment later', async () => {
    const email = await signUp();
    const attacker = '203.0.113.1';
    const began = performance.now();
    const answers = await guess(email, 100, () => attacker);
    const checked = checkedOf(answers);
    expect(checked).toBeGreaterThanOrEqual(freeAttempts);
    expect(checked).toBeLessThanOrEqual(mostCheckedSince(began));
    // The wait doubles with each attempt that was checked, however many more were refused at the same moment.
    const waitOf = ({ headers }: (typeof answers)[number]) => Number(headers.get('retry-after'));
    const waits = answers.filter(({ status }) => status === 429).map(waitOf);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...waits)).toBeLessThanOrEqual(2 ** (checked - freeAttempts));
    // The owner, at another address, need not wait.
    expect((await signIn(email, strongPassword, home)).status).toBe(200);
    // From the attacker's address even the right password must wait, unless the wait is over already, but not long.
    const early = await signIn(email, strongPassword, attacker);
    if (early.status === 429) {
      expect(waitOf(early)).toBeLessThanOrEqual(2 ** (checked - freeAttempts));
      await endWaits(identity);
      expect((await signIn(email, strongPassword, attacker)).status).toBe(200);
    } else expect(early.status).toBe(200);
    // The right password cleared the wrong ones.
    for (const wrong of ['Errada!x1', 'Errada!x2']) expect((await signIn(email, wrong, attacker)).status).toBe(400);
  });

  it('checks one password per unknown address while an account is under attack, and still lets its owner in', async () => {
    const email = await signUp();
    // One after another, so that each sees those before it: the last one makes it an attack.
    for (let index = 0; index < attackThreshold; index += 1)
      expect((await signIn(email, `Errada!${index}a`, `198.18.0.${index}`)).status).toBe(400);
    // The attempts of one address come one after another, those of all addresses at the same moment.
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, address) => {
        const attempts = [];
        for (let index = 0; index < 3; index += 1) attempts.push(await signIn(email, `Errada!${index}b`, `192.0.2.${address}`));
        return attempts;
      }),
    );
    for (const attempts of answers) expect(attempts.map(({ status }) => status)).toEqual([400, 429, 429]);
    expect((await signIn(email, strongPassword, '198.51.100.99')).status).toBe(200);
    // Known addresses keep their five free attempts.
    for (const wrong of ['Errada!1', 'Errada!2', 'Errada!3']) expect((await signIn(email, wrong, home)).status).toBe(400);
    expect((await signIn(email, strongPassword, home)).status).toBe(200);
  });

  it('counts all addresses of one IPv6 network together, and recognises its people at each of them', async () => {
    const email = await signUp();
    const began = performance.now();
    const checked = checkedOf(await guess(email, 30, (index) => `2001:db8:0:1::${(index + 1).toString(16)}`));
    expect(checked).toBeGreaterThanOrEqual(freeAttempts);
    expect(checked).toBeLessThanOrEqual(mostCheckedSince(began));
    // The neighbouring network is not affected.
    expect((await signIn(email, strongPassword, '2001:db8:0:2::1')).status).toBe(200);
    await guess(email, 60, (index) => `192.0.2.${index}`);
    for (const wrong of ['Errada!1', 'Errada!2', 'Errada!3']) expect((await signIn(email, wrong, '2001:db8:0:2::abcd')).status).toBe(400);
    expect((await signIn(email, strongPassword, '2001:db8:0:2:1:2:3:4')).status).toBe(200);
  });

  it('limits attempts at unknown accounts like those at known ones', async () => {
    const nobody = freshEmail();
    const began = performance.now();
    const checked = checkedOf(await guess(nobody, 30, () => '203.0.113.5'));
    expect(checked).toBeGreaterThanOrEqual(freeAttempts);
    expect(checked).toBeLessThanOrEqual(mostCheckedSince(began));
  });

  it('does the same work for an unknown account', async () => {
    const verify = jest.spyOn(argon2, 'verify');
    try {
      const costOf = async (email: string) => {
        verify.mockClear();
        expect((await signIn(email, 'Errada!1a', '203.0.113.100')).status).toBe(400);
        // A hash names its cost: $argon2id$v=19$m=…,p=…,t=…$
        return verify.mock.calls.map(([hash]) => hash.split('$').slice(0, 4).join('$'));
      };
      const known = await costOf(await signUp());
      expect(known).toEqual([expect.stringMatching(/^\$argon2id\$v=19\$m=64,/)]);
      expect(await costOf(freshEmail())).toEqual(known);
    } finally {
      verify.mockRestore();
    }
  });

  it('refuses a mail’s right code after five wrong ones from anywhere; its link stays valid', async () => {
    const email = await signUp();
    await call(identity, 'POST', 'recover', { body: { email } });
    const mail = await mailTo(identity, email);
    const code = codeOf(mail);
    const wrong = (index: number) => String((Number(code) + 1 + index) % 1_000_000).padStart(6, '0');
    const verify = (token: string, ip: string) => call(identity, 'POST', 'verify', { body: { type: 'recovery', email, token }, ip });
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => verify(wrong(index), `203.0.113.${150 + index}`)));
    expect(tally(answers)).toEqual({ '403 otp_expired': 30 });
    expect(await verify(code, home)).toMatchObject({ status: 403, body: { code: 'otp_expired' } });
    const followed = await fetch(linkOf(identity, mail), { redirect: 'manual' });
    expect(followed.headers.get('location')).toContain('access_token=');
  });

  it('limits codes from one address over all mails, for known and unknown accounts alike', async () => {
    for (const email of [await signUp(), freshEmail()]) {
      const began = performance.now();
      const answers = await Promise.all(
        Array.from({ length: 30 }, () =>
          call(identity, 'POST', 'verify', { body: { type: 'recovery', email, token: '000000' }, ip: '203.0.113.201' }),
        ),
      );
      const { '403 otp_expired': checked = 0, '429 over_request_rate_limit': limited = 0 } = tally(answers);
      expect(checked).toBeGreaterThanOrEqual(freeAttempts);
      expect(checked).toBeLessThanOrEqual(mostCheckedSince(began));
      expect(checked + limited).toBe(30);
    }
  });

  it('accepts the right code after four wrong ones', async () => {
    const email = await signUp();
    await call(identity, 'POST', 'recover', { body: { email } });
    const code = codeOf(await mailTo(identity, email));
    for (let index = 0; index < 4; index += 1) {
      const token = String((Number(code) + 1 + index) % 1_000_000).padStart(6, '0');
      expect((await call(identity, 'POST', 'verify', { body: { type: 'recovery', email, token } })).status).toBe(403);
    }
    expect((await call(identity, 'POST', 'verify', { body: { type: 'recovery', email, token: code } })).status).toBe(200);
  });

  it('checks the current password when it is given, and limits the attempts', async () => {
    const email = await signUp();
    const session = (await signIn(email, strongPassword, home)).body;
    const token = String(session['access_token']);
    const change = (current: string) =>
      call(identity, 'PUT', 'user', { body: { password: 'Outra!Senha9', current_password: current }, token, ip: '203.0.113.77' });
    const began = performance.now();
    expect(await change('Errada!1a')).toMatchObject({ status: 400, body: { code: 'current_password_invalid' } });
    const answers = await Promise.all(Array.from({ length: 20 }, () => change('Errada!2a')));
    const { '400 current_password_invalid': checked = 0, '429 over_request_rate_limit': limited = 0 } = tally(answers);
    expect(checked + limited).toBe(20);
    expect(1 + checked).toBeLessThanOrEqual(mostCheckedSince(began));
    expect((await signIn(email, strongPassword, home)).status).toBe(200);
    const other = await call(identity, 'PUT', 'user', {
      body: { password: 'Outra!Senha9', current_password: strongPassword },
      token,
      ip: home,
    });
    expect(other.status).toBe(200);
    expect((await signIn(email, 'Outra!Senha9', home)).status).toBe(200);
  });

  it('counts per replica while Redis is away', async () => {
    const alone = await startIdentity({ REDIS_URL: 'redis://127.0.0.1:1' });
    try {
      const email = freshEmail();
      await call(alone, 'POST', 'signup', { body: { email, password: strongPassword } });
      const began = performance.now();
      const answers = await Promise.all(
        Array.from({ length: 30 }, () =>
          call(alone, 'POST', 'token?grant_type=password', { body: { email, password: 'Errada!1a' }, ip: '203.0.113.9' }),
        ),
      );
      expect(checkedOf(answers)).toBeLessThanOrEqual(mostCheckedSince(began));
      const right = { body: { email, password: strongPassword }, ip: home };
      expect((await call(alone, 'POST', 'token?grant_type=password', right)).status).toBe(200);
    } finally {
      await alone.stop();
    }
  });

  it('refuses mails after the hour’s limit for known and unknown addresses alike', async () => {
    const few = await startIdentity({ MAILS_PER_HOUR: '2', MAIL_GAP_SECONDS: '0' });
    try {
      const email = freshEmail();
      await call(few, 'POST', 'signup', { body: { email, password: strongPassword } });
      const recover = (address: string) => call(few, 'POST', 'recover', { body: { email: address } });
      for (let mail = 0; mail < 2; mail += 1) expect((await recover(email)).status).toBe(200);
      for (const address of [email, freshEmail()])
        expect(await recover(address)).toMatchObject({
          status: 429,
          body: { code: 'over_email_send_rate_limit', message: 'email rate limit exceeded' },
        });
      await mailTo(few, email, 1);
      const database = await new DataSource({ type: 'postgres', url: few.database.url }).initialize();
      expect(await database.query('select 1 from mail_outbox')).toEqual([]);
      await database.destroy();
    } finally {
      await few.stop();
    }
  });
});
