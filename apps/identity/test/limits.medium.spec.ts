import { DataSource } from 'typeorm';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { call, codeOf, freshEmail, type IdentityUnderTest, linkOf, mailTo, startIdentity, strongPassword } from './support.js';

jest.setTimeout(120_000);

/** Results of `work(0)` to `work(count - 1)`, two hundred at a time. */
async function inParallel<Result>(count: number, work: (index: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const lane = async () => {
    while (next < count) results.push(await work(next++));
  };
  await Promise.all(Array.from({ length: 200 }, lane));
  return results;
}

describe('limits on guessing', () => {
  let identity: IdentityUnderTest;

  const usual = getGlobalDispatcher();
  // A thousand connections at once would overflow the listen queue; two hundred carry a thousand requests.
  const crowd = new Agent({ connections: 200 });

  beforeAll(async () => {
    setGlobalDispatcher(crowd);
    identity = await startIdentity();
  });
  afterAll(async () => {
    setGlobalDispatcher(usual);
    await crowd.close();
    await identity.stop();
  });

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
  const later = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000 + 50));

  it('checks a handful of a thousand wrong passwords from one address, and accepts the right one a moment later', async () => {
    const email = await signUp();
    const attacker = '203.0.113.1';
    const answers = await inParallel(1_000, (index) => signIn(email, `Errada!${index}a`, attacker));
    const { '400 invalid_credentials': looked = 0, '429 over_request_rate_limit': limited = 0, ...others } = tally(answers);
    expect(others).toEqual({});
    // Five free ones, and one more after each wait.
    expect(looked).toBeGreaterThanOrEqual(5);
    expect(looked).toBeLessThanOrEqual(14);
    expect(limited).toBe(1_000 - looked);
    // The wait doubles with each attempt that was checked, however many more were refused at the same moment.
    const waits = answers.filter(({ status }) => status === 429).map(({ headers }) => Number(headers.get('retry-after')));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...waits)).toBeLessThanOrEqual(2 ** (looked - 5));
    // The owner, at another address, need not wait.
    expect((await signIn(email, strongPassword, home)).status).toBe(200);
    // From the attacker's address even the right password must wait, but not long.
    let answer = await signIn(email, strongPassword, attacker);
    for (let tries = 0; answer.status === 429 && tries < 5; tries += 1) {
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(300);
      await later(Number(answer.headers.get('retry-after')));
      answer = await signIn(email, strongPassword, attacker);
    }
    expect(answer.status).toBe(200);
    // The right password cleared the wrong ones.
    for (const wrong of ['Errada!x1', 'Errada!x2']) expect((await signIn(email, wrong, attacker)).status).toBe(400);
  }, 300_000);

  it('checks one password per unknown address while an account is under attack, and still lets its owner in', async () => {
    const email = await signUp();
    const answers = await inParallel(1_000, (index) => signIn(email, `Errada!${index}a`, `192.0.2.${index % 200}`));
    const { '400 invalid_credentials': looked = 0, '429 over_request_rate_limit': limited = 0, ...others } = tally(answers);
    expect(others).toEqual({});
    // Fifty before the attack is detected, then one for each address, and one more for the requests that were under way.
    expect(looked).toBeLessThanOrEqual(450);
    expect(limited).toBe(1_000 - looked);
    expect((await signIn(email, strongPassword, '198.51.100.99')).status).toBe(200);
    // Known addresses keep their five free attempts.
    for (const wrong of ['Errada!1', 'Errada!2', 'Errada!3']) expect((await signIn(email, wrong, home)).status).toBe(400);
    expect((await signIn(email, strongPassword, home)).status).toBe(200);
  }, 300_000);

  it('counts all addresses of one IPv6 network together, and recognises its people at each of them', async () => {
    const email = await signUp();
    const answers = await inParallel(60, (index) => signIn(email, `Errada!${index}a`, `2001:db8:0:1::${(index + 1).toString(16)}`));
    const { '400 invalid_credentials': looked = 0, '429 over_request_rate_limit': limited = 0 } = tally(answers);
    expect(looked).toBeGreaterThanOrEqual(5);
    expect(looked).toBeLessThanOrEqual(9);
    expect(limited).toBe(60 - looked);
    // The neighbouring network is not affected.
    expect((await signIn(email, strongPassword, '2001:db8:0:2::1')).status).toBe(200);
    await inParallel(60, (index) => signIn(email, `Errada!${index}a`, `192.0.2.${index}`));
    for (const wrong of ['Errada!1', 'Errada!2', 'Errada!3']) expect((await signIn(email, wrong, '2001:db8:0:2::abcd')).status).toBe(400);
    expect((await signIn(email, strongPassword, '2001:db8:0:2:1:2:3:4')).status).toBe(200);
  }, 300_000);

  it('limits attempts at unknown accounts like those at known ones', async () => {
    const nobody = freshEmail();
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(nobody, 'Errada!1a', '203.0.113.5')));
    expect(tally(answers)).toMatchObject({ '429 over_request_rate_limit': expect.any(Number) as number });
    expect(tally(answers)['400 invalid_credentials']).toBeLessThanOrEqual(7);
  });

  it('takes the same time for an unknown account', async () => {
    const email = await signUp();
    const timeOf = async (address: string, index: number) => {
      const began = performance.now();
      expect((await signIn(address, 'Errada!1a', `203.0.113.${100 + index}`)).status).toBe(400);
      return performance.now() - began;
    };
    const [known, unknown]: [number[], number[]] = [[], []];
    for (let index = 0; index < 20; index += 1) {
      known.push(await timeOf(email, index));
      unknown.push(await timeOf(freshEmail(), index));
    }
    // The fastest answers show the cost of the work; the slow ones show the load of the machine.
    const cost = (times: number[]) => times.sort((a, b) => a - b)[times.length / 4]!;
    // The hash takes tens of milliseconds; without it an unknown account would be answered within a few.
    const ratio = cost(unknown) / cost(known);
    expect(ratio).toBeGreaterThan(0.6);
    expect(ratio).toBeLessThan(1.6);
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
      const answers = await Promise.all(
        Array.from({ length: 30 }, () =>
          call(identity, 'POST', 'verify', { body: { type: 'recovery', email, token: '000000' }, ip: '203.0.113.201' }),
        ),
      );
      const { '403 otp_expired': looked = 0, '429 over_request_rate_limit': limited = 0 } = tally(answers);
      expect(looked).toBeGreaterThanOrEqual(5);
      expect(looked).toBeLessThanOrEqual(9);
      expect(looked + limited).toBe(30);
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
    expect(await change('Errada!1a')).toMatchObject({ status: 400, body: { code: 'current_password_invalid' } });
    const answers = await Promise.all(Array.from({ length: 20 }, () => change('Errada!2a')));
    expect(tally(answers)['429 over_request_rate_limit']).toBeGreaterThanOrEqual(14);
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
      const answers = await Promise.all(
        Array.from({ length: 30 }, () =>
          call(alone, 'POST', 'token?grant_type=password', { body: { email, password: 'Errada!1a' }, ip: '203.0.113.9' }),
        ),
      );
      expect(tally(answers)['429 over_request_rate_limit']).toBeGreaterThanOrEqual(22);
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
