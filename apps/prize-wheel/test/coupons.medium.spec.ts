import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyChain } from '@decola/contracts';
import { keyUses, resealColumn } from '@decola/database';
import { parseKeyRing, Sealer } from '@decola/service-kit';
import { accountExportOf, authenticated, freePort, tracesOf } from '@decola/testing';
import { sealedCoupons } from '../src/draws/coupons.js';
import { sealedSeeds } from '../src/draws/seeds.js';
import { Nightly } from '../src/jobs/nightly.service.js';
import { spinUntilAnswered, startReplica } from './support/replicas.js';
import { type TestWheel, type WheelUnderTest, wheelUnderTest, wheelEnvironment } from './support/wheel.js';

// oxlint-disable-next-line typescript/no-explicit-any -- answers of functions, which the tests compare
type Answer = any;

describe('the coupons of a prize', () => {
  const acceptingRing = `${wheelEnvironment.SEED_KEY_RING},k2:${Buffer.alloc(32, 8).toString('base64')}`;
  let wheels: WheelUnderTest;
  beforeAll(async () => {
    wheels = await wheelUnderTest({ ...wheelEnvironment, SEED_KEY_RING: acceptingRing });
  });
  afterAll(() => wheels?.dispose());

  const post = async (name: string, body: Record<string, unknown>, userId: string | null) => {
    const response = await fetch(`${wheels.url}/functions/v1/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(userId === null ? {} : authenticated(userId)) },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Answer };
  };
  const codes = async (wheel: TestWheel, action: string, more: Record<string, unknown> = {}): Promise<Answer> =>
    (await post('prize-codes', { automationId: wheel.automationId, prizeId: 'a', action, ...more }, wheel.facts.userId)).body;
  const numbered = (count: number) => Array.from({ length: count }, (_, index) => `CUPOM-${randomBytes(4).toString('hex')}-${index}`);
  const couponPrize = { id: 'a', name: 'Vale', quantity: 3 };

  it('are as many as its units, are given in their order, and are shown to their winner and on the receipt only', async () => {
    const wheel = await wheels.publish([couponPrize]);
    const [one, two, three] = numbered(3) as [string, string, string];
    expect(await codes(wheel, 'add', { codes: [one, ` ${two} `, one] })).toEqual({
      success: true,
      total: 2,
      free: 2,
      changed: 2,
      codes: [],
      next: null,
    });
    expect(await wheel.stock()).toMatchObject([{ total: 2, remaining: 2 }]);
    expect(await codes(wheel, 'add', { codes: [two, three] })).toMatchObject({ total: 3, changed: 1 });
    const spinKey = randomBytes(16).toString('hex');
    const won = await wheel.spin('@maria', { spinKey });
    expect(won.participation.coupon).toBe(one);
    expect(await wheel.spin('@maria', { spinKey })).toMatchObject({ participation: { coupon: one, repeated: true } });
    expect(await wheel.spin('@maria')).toMatchObject({ participation: { coupon: null, code: null } });
    expect((await wheel.spin('@joana')).participation.coupon).toBe(two);
    const receipt = await post('prize-receipt', { code: won.participation.code }, null);
    expect(receipt.body.receipt).toMatchObject({ coupon: one });
    expect(await codes(wheel, 'list')).toEqual({
      success: true,
      total: 3,
      free: 1,
      changed: 0,
      codes: [
        { code: one, number: 1 },
        { code: two, number: 2 },
        { code: three, number: null },
      ],
      next: null,
    });
    // No edit gives units without coupons.
    await wheel.edit([{ ...couponPrize, quantity: 50 }]);
    expect(await wheel.stock()).toEqual([{ prize_id: 'a', total: 3, given: 2, remaining: 1 }]);
    // Sealed in every table, and in no message.
    expect(await tracesOf(wheels.database.url, { one, two, three })).toEqual([]);
    const files = await accountExportOf(wheels.url, wheel.facts.userId);
    expect(JSON.parse(files['roletas/cupons.json']!)).toMatchObject([
      { premio: 'a', participacao: '1', cupom: one },
      { participacao: '2', cupom: two },
      { participacao: null, cupom: three },
    ]);
    expect(await verifyChain(wheel.automationId, await wheel.chain())).toMatchObject({ draws: 2 });
    expect(await wheels.app.get(Nightly).check(wheel.automationId)).toBeNull();
  });

  it('go back with a prize that was taken back, and only free ones can be removed', async () => {
    const wheel = await wheels.publish([couponPrize]);
    const [one, two] = numbered(2) as [string, string];
    await codes(wheel, 'add', { codes: [one, two] });
    const { code } = (await wheel.spin('@maria')).participation;
    expect(await codes(wheel, 'remove', { codes: [one, two] })).toMatchObject({ total: 1, free: 0, changed: 1 });
    expect(await wheel.stock()).toMatchObject([{ total: 1, given: 1, remaining: 0 }]);
    expect(await wheel.spin('@joana')).toMatchObject({ success: false });
    await post('prize-redemption', { code, action: 'void', reason: 'engano' }, wheel.facts.userId);
    expect((await post('prize-receipt', { code }, null)).body.receipt).toMatchObject({ state: 'voided', coupon: null });
    expect((await wheel.spin('@joana')).participation.coupon).toBe(one);
    // All of them: with one won the prize goes on with coupons, and without any it goes back to its quantity.
    await codes(wheel, 'add', { codes: [two] });
    expect(await codes(wheel, 'remove')).toMatchObject({ total: 1, free: 0, changed: 1 });
    expect(await wheel.stock()).toMatchObject([{ total: 1, given: 1, remaining: 0 }]);
    const other = await wheels.publish([couponPrize]);
    await codes(other, 'add', { codes: [one] });
    expect(await codes(other, 'remove')).toMatchObject({ total: 0, free: 0 });
    expect(await other.stock()).toMatchObject([{ total: 3, remaining: 3 }]);
    expect((await other.spin('@maria')).participation.coupon).toBeNull();
    for (const each of [wheel, other]) expect(await wheels.app.get(Nightly).check(each.automationId)).toBeNull();
  });

  it('belong to digital prizes of own wheels, drafts among them, and have their limits', async () => {
    const wheel = await wheels.publish([couponPrize, { id: 'b', name: 'Caneca', quantity: 1, type: 'physical' }]);
    const draft = await wheels.publish([couponPrize], { isDraft: true, isActive: false });
    expect(await codes(draft, 'add', { codes: ['A1'] })).toMatchObject({ success: true, total: 1 });
    expect(await draft.stock()).toEqual([]);
    expect(await codes(wheel, 'add', { prizeId: 'b', codes: ['A1'] })).toMatchObject({ success: false, code: 'physical' });
    expect(await codes(wheel, 'add', { prizeId: 'c', codes: ['A1'] })).toMatchObject({ success: false, code: 'unknown_prize' });
    expect(await codes(wheel, 'add', { codes: [] })).toMatchObject({ success: true, total: 0, changed: 0 });
    const body = { automationId: wheel.automationId, prizeId: 'a', action: 'list' };
    expect((await post('prize-codes', body, randomUUID())).body).toMatchObject({ success: false, code: 'not_found' });
    expect((await post('prize-codes', body, null)).status).toBe(401);
    for (const wrong of [{ codes: numbered(5_001) }, { codes: ['x'.repeat(201)] }, { codes: 'A1' }, { action: 'steal' }])
      expect((await post('prize-codes', { ...body, action: 'add', ...wrong }, wheel.facts.userId)).status).toBe(400);
    // A page of the list holds 1,000.
    await codes(wheel, 'add', { codes: numbered(1_500) });
    const first = await codes(wheel, 'list');
    const second = await codes(wheel, 'list', { after: first.next });
    expect([first.codes.length, second.codes.length, second.next]).toEqual([1_000, 500, null]);
    await wheels.dataSource.query(
      `insert into prize_codes (automation_id, prize_id, code_key, code_sealed)
       select $1, 'a', sha256(n::text::bytea), 'x' from generate_series(1, 98500) n`,
      [wheel.automationId],
    );
    expect(await codes(wheel, 'add', { codes: ['A1'] })).toMatchObject({
      success: false,
      code: 'too_many',
      error: expect.stringContaining('100.000'),
    });
  });

  it('are given once each, also when 64 visitors spin over two replicas and one of them is killed', async () => {
    const wheel = await wheels.publish([couponPrize]);
    const all = numbered(150);
    await codes(wheel, 'add', { codes: all });
    const ports = [await freePort(), await freePort()];
    const start = (port: number) => startReplica(wheels, port);
    const replicas = await Promise.all(ports.map(start));
    const given = new Map<string, string>();
    let answered = 0;
    const queue = Array.from({ length: 200 }, (_, index) => `@pessoa${index}`);
    const play = async () => {
      for (let handle = queue.shift(); handle !== undefined; handle = queue.shift()) {
        const answer = await spinUntilAnswered(wheels, wheel, ports, { handle, spinKey: randomBytes(16).toString('hex') });
        answered += 1;
        if (answer.success) given.set(handle, String(answer.participation.coupon));
      }
    };
    const kill = async () => {
      while (answered < 40) await sleep(1);
      await replicas[0]?.kill();
      replicas[0] = await start(ports[0] ?? 0);
    };
    await Promise.all([...Array.from({ length: 64 }, play), kill()]);
    await Promise.all(replicas.map((each) => each.kill()));
    expect(given.size).toBe(150);
    expect([...given.values()].sort()).toEqual(all.sort());
    expect(await codes(wheel, 'list')).toMatchObject({ total: 150, free: 0 });
    expect(await wheel.stock()).toEqual([{ prize_id: 'a', total: 150, given: 150, remaining: 0 }]);
    expect(await verifyChain(wheel.automationId, await wheel.chain())).toMatchObject({ draws: 150, checkedDraws: 150 });
    expect(await wheels.app.get(Nightly).check(wheel.automationId)).toBeNull();
  });

  it('and seeds are out of reach while their key is missing, without a draw, and are sealed again with another key', async () => {
    const wheel = await wheels.publish([couponPrize]);
    const coupons = numbered(2);
    await codes(wheel, 'add', { codes: coupons });
    const rename = (from: string, to: string) =>
      wheels.dataSource.query('update wheel_rounds set seed_sealed = replace(seed_sealed, $2, $3) where automation_id = $1', [
        ...[wheel.automationId, `v1.${from}.`, `v1.${to}.`],
      ]);
    await rename('k1', 'k9');
    expect((await wheels.post({ ...wheel.address, leadData: { instagram: '@maria' } })).status).toBe(503);
    expect(await wheel.stock()).toMatchObject([{ remaining: 2 }]);
    await rename('k9', 'k1');
    const ring = parseKeyRing(`active=k2;${acceptingRing}`);
    for (const column of [sealedSeeds, sealedCoupons]) {
      const { sealed, unopened, skipped } = await resealColumn(wheels.dataSource, column, { ring, sealer: new Sealer(ring) });
      expect([sealed > 0, unopened, skipped]).toEqual([true, 0, 0]);
    }
    expect((await keyUses(wheels.dataSource, [sealedSeeds, sealedCoupons])).map(({ keyId }) => keyId)).not.toContain('k1');
    expect(coupons).toContain((await wheel.spin('@maria')).participation.coupon);
  });
});
