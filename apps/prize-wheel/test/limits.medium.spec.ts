import { randomBytes } from 'node:crypto';
import { type ProofChallenge, visitRefusal } from '@decola/contracts';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { limitedEnvironment, type TestWheel, type WheelUnderTest, wheelUnderTest } from './support/wheel.js';

/** A form that was shown longer ago is old enough. */
const oldFormMs = 1_550;
/** A reading of a wheel is used for a second. */
const staleReadingMs = 1_050;

/** The service with the limits of production. */
describe('a crowd in front of a wheel', () => {
  let wheels: WheelUnderTest;
  beforeAll(async () => {
    wheels = await wheelUnderTest(limitedEnvironment);
  });
  afterAll(() => wheels?.dispose());

  const units = [{ id: 'a', name: 'Caneca', quantity: 100_000 }];
  const key = () => randomBytes(16).toString('hex');
  let visitors = 0;
  const handle = () => `@visitante.${(visitors += 1)}`;
  let networks = 0;
  /** An address that no other test uses. */
  const network = () => `2001:db8:${(networks += 1).toString(16)}::1`;
  const formTokenOf = async (wheel: TestWheel): Promise<string> => (await wheel.ask({ action: 'state' })).formToken as string;
  /** Since when the form of this token was shown does not matter to these tests: it counts once, and is old enough. */
  const oldFormToken = async (wheel: TestWheel): Promise<string> => {
    const token = await formTokenOf(wheel);
    await new Promise((resolve) => setTimeout(resolve, oldFormMs));
    return token;
  };
  const spin = (wheel: TestWheel, address: string, more: Record<string, unknown> = {}, base?: string) =>
    wheels.post({ ...wheel.address, action: 'spin', leadData: { instagram: handle() }, ...more }, base, address);
  const check = (wheel: TestWheel, address: string, more: Record<string, unknown> = {}) =>
    wheels.post({ ...wheel.address, action: 'check', leadData: { instagram: handle() }, ...more }, undefined, address);
  const solve = async (challenge: ProofChallenge) => ({ challenge, solution: await solveChallenge({ challenge, deriveKey }) });
  const required = { success: false, code: 'challenge.required', challenge: expect.anything() };
  /** Spins until an answer is no prize. @returns how many won, and that answer */
  const until = async (wheel: TestWheel, address: string, formToken: string | undefined, most: number, base?: string) => {
    for (let won = 0; won < most; won++) {
      const answer = await spin(wheel, address, { formToken }, base);
      if (answer.body.success !== true) return { won, answer };
    }
    return { won: most, answer: undefined };
  };

  it('draws 30 spins a minute for a network, then asks for a proof, which counts once and on this wheel only', async () => {
    const [wheel, other] = [await wheels.publish(units), await wheels.publish(units)];
    const [address, formToken] = [network(), await oldFormToken(wheel)];
    const { won, answer } = await until(wheel, address, formToken, 40);
    expect(won).toBe(30);
    expect(answer?.body).toMatchObject(required);
    expect(visitRefusal.parse(answer?.body)).toBeDefined();
    // The whole network counts, another one and another wheel do not.
    expect((await spin(wheel, address.replace('::1', '::ffff:9'), { formToken })).body).toMatchObject(required);
    expect((await spin(wheel, network(), { formToken })).body.success).toBe(true);
    expect((await spin(other, address)).body.success).toBe(true);

    const proof = await solve(answer?.body.challenge as ProofChallenge);
    // Foreign wheels and changed challenges are refused, and do not use the proof up.
    await until(other, address, undefined, 20);
    expect((await spin(other, address, { proof })).body).toMatchObject(required);
    const easier = { ...proof, challenge: { ...proof.challenge, parameters: { ...proof.challenge.parameters, keyPrefix: '00' } } };
    expect((await spin(wheel, address, { proof: easier })).body).toMatchObject(required);
    const wrong = { ...proof, solution: { ...proof.solution, derivedKey: '00'.repeat(32) } };
    expect((await spin(wheel, address, { proof: wrong })).body).toMatchObject(required);
    expect((await spin(wheel, address, { formToken, proof })).body.success).toBe(true);
    expect((await spin(wheel, address, { formToken, proof })).body).toMatchObject(required);
  });

  it('lets one of many replicas accept a proof that they all get at once', async () => {
    const wheel = await wheels.publish(units);
    const replica = await wheels.replica();
    try {
      const { body } = await spin(wheel, network(), { site: 'https://spam.example' });
      const proof = await solve(body.challenge as ProofChallenge);
      const address = network();
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => spin(wheel, address, { site: 'x', proof }, index % 2 ? replica.url : undefined)),
      );
      expect(answers.filter((answer) => answer.body.success)).toHaveLength(1);
    } finally {
      await replica.close();
    }
  });

  it('refuses the 301st spin of a minute with the time to wait, but never the repeat of a prize by its own key', async () => {
    const wheel = await wheels.publish(units);
    const address = network();
    const mine = { leadData: { instagram: '@maria.silva' }, spinKey: key() };
    const first = await spin(wheel, address, mine);
    expect(first.body.participation.repeated).toBe(false);
    // Without a form token each counts twice.
    const answers = await Promise.all(Array.from({ length: 160 }, () => spin(wheel, address)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ body }) => body.success)).toHaveLength(14);
    expect(refused.length).toBe(160 - 149);
    const seconds = Number(refused[0]?.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(refused[0]?.body).toMatchObject({ code: 'too_many_requests', error: `Muitas tentativas. Aguarde ${seconds} segundos.` });
    for (let repeat = 0; repeat < 3; repeat++) {
      const again = await spin(wheel, address, mine);
      expect(again).toMatchObject({ status: 200, body: { participation: { code: first.body.participation.code, repeated: true } } });
    }
    // Whoever only types the handle must wait like everybody, and does not learn who has played.
    expect((await spin(wheel, address, { ...mine, spinKey: key() })).status).toBe(429);
  });

  it('does not count repeats by their own key', async () => {
    const wheel = await wheels.publish(units);
    const [address, formToken] = [network(), await oldFormToken(wheel)];
    const mine = { leadData: { instagram: '@ana' }, spinKey: key(), formToken };
    for (let repeat = 0; repeat < 40; repeat++) expect((await spin(wheel, address, mine)).body.success).toBe(true);
    expect((await until(wheel, address, formToken, 40)).won).toBe(29);
  });

  it('asks whoever fills the form in no time, or a field that people do not see, for a proof', async () => {
    const wheel = await wheels.publish(units);
    const formToken = await formTokenOf(wheel);
    const { body } = await spin(wheel, network(), { formToken });
    expect(body).toMatchObject(required);
    expect((await spin(wheel, network(), { formToken, proof: await solve(body.challenge as ProofChallenge) })).body.success).toBe(true);
    expect((await spin(wheel, network(), { site: 'https://spam.example' })).body).toMatchObject(required);
    // Tokens of another wheel, changed ones and none count twice, and are served.
    for (const token of [await formTokenOf(await wheels.publish(units)), 'x', `z${formToken}`, undefined])
      expect((await spin(wheel, network(), { formToken: token })).body.success).toBe(true);
  });

  it('looks 60 handles up a minute for a network, then only with a proof', async () => {
    const wheel = await wheels.publish(units);
    const address = network();
    const spinKey = key();
    await spin(wheel, address, { leadData: { instagram: '@ana' }, spinKey });
    for (let look = 0; look < 60; look++) expect((await check(wheel, address)).body).toEqual({ success: true, earlier: null });
    // Who has played and who has not look the same.
    const known = await check(wheel, address, { leadData: { instagram: '@ana' }, spinKey: key() });
    const unknown = await check(wheel, address);
    expect(known.body).toMatchObject(required);
    expect(unknown.body).toMatchObject(required);
    expect((await check(wheel, address, { leadData: { instagram: '@ana' }, spinKey })).body.earlier).toMatchObject({ winner: { id: 'a' } });
    const proof = await solve(known.body.challenge as ProofChallenge);
    expect((await check(wheel, address, { leadData: { instagram: '@ana' }, proof })).body.earlier).toMatchObject({ winner: { id: 'a' } });
  });

  it('allows ten times as much while the wheel stands at an event', async () => {
    const hour = 60 * 60 * 1_000;
    const hours = (from: number, until: number) => ({
      options: { eventHours: { from: new Date(Date.now() + from).toISOString(), until: new Date(Date.now() + until).toISOString() } },
    });
    const now = await wheels.publish(units, {}, hours(-hour, hour));
    const later = await wheels.publish(units, {}, hours(hour, 2 * hour));
    const answersOf = async (wheel: TestWheel) => {
      const address = network();
      return (await Promise.all(Array.from({ length: 160 }, () => spin(wheel, address)))).filter(({ body }) => body.success).length;
    };
    expect(await answersOf(now)).toBe(150);
    expect(await answersOf(later)).toBe(15);
    expect((await now.ask({})).wheel.isEvent).toBe(true);
    expect((await later.ask({})).wheel.isEvent).toBe(false);
  });

  it('counts per replica while Redis is away, and accepts a proof once', async () => {
    const wheel = await wheels.publish(units);
    const alone = await wheels.replica({ REDIS_URL: 'redis://127.0.0.1:9' });
    try {
      const address = network();
      const { won, answer } = await until(wheel, address, undefined, 40, alone.url);
      expect(won).toBe(15);
      const proof = await solve(answer?.body.challenge as ProofChallenge);
      expect((await spin(wheel, address, { proof }, alone.url)).body.success).toBe(true);
      expect((await spin(wheel, address, { proof }, alone.url)).body).toMatchObject(required);
      expect((await spin(wheel, address)).body.success).toBe(true);
    } finally {
      await alone.close();
    }
  });

  it('answers everybody who opens the page at once from one reading, each with a form token of their own', async () => {
    const wheel = await wheels.publish(units);
    const before = await wheel.ask({});
    await wheels.dataSource.query(`update wheels set name = 'Nova' where automation_id = $1`, [wheel.automationId]);
    const states = await Promise.all(Array.from({ length: 20 }, () => wheel.ask({})));
    expect(new Set(states.map((state) => state.wheel.name as string)).size).toBe(1);
    expect(states[0].formToken).not.toBe(before.formToken);
    await new Promise((resolve) => setTimeout(resolve, staleReadingMs));
    expect((await wheel.ask({})).wheel.name).toBe('Nova');
  });

  it('stores no address, only a digest of the network that the same network elsewhere does not share', async () => {
    const [wheel, other] = [await wheels.publish(units), await wheels.publish(units)];
    const address = network();
    for (const each of [wheel, wheel, other]) await spin(each, address);
    const rows = await wheels.dataSource.query<{ automation_id: string; network_key: Buffer }[]>(
      `select automation_id, network_key from prize_wheel_participations where automation_id = any($1::uuid[])`,
      [[wheel.automationId, other.automationId]],
    );
    const keysOf = (id: string) => rows.filter((row) => row.automation_id === id).map((row) => row.network_key.toString('hex'));
    expect(new Set(keysOf(wheel.automationId)).size).toBe(1);
    expect(keysOf(wheel.automationId)).toHaveLength(2);
    expect(keysOf(other.automationId)).not.toContain(keysOf(wheel.automationId)[0]);
  });
});
