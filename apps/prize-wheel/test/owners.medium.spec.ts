import { randomUUID } from 'node:crypto';
import { type AuditLine, verifyChain } from '@decola/contracts';
import { authenticated } from '@decola/testing';
import { type WheelUnderTest, wheelUnderTest } from './support/wheel.js';

/** What owners of wheels do: deliver prizes by their codes, end rounds, and download the chain. */
describe('the owner of a wheel', () => {
  let wheels: WheelUnderTest;
  beforeAll(async () => {
    wheels = await wheelUnderTest();
  });
  afterAll(() => wheels?.dispose());

  const ask = async (name: string, userId: string | null, body: Record<string, unknown>) => {
    const response = await fetch(`${wheels.url}/functions/v1/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(userId === null ? {} : authenticated(userId)) },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  };
  const redeem = async (userId: string, code: string, action: string, more: Record<string, unknown> = {}) =>
    JSON.parse((await ask('prize-redemption', userId, { code, action, ...more })).text) as Record<string, unknown>;
  const prizeOf = async (quantity = 1) => {
    const wheel = await wheels.publish([{ id: 'a', name: 'Caneca', quantity, type: 'physical' }]);
    const won = await wheel.spin('@maria.silva');
    return { wheel, owner: wheel.facts.userId, code: String(won.participation.code) };
  };

  it('finds a prize by its code, however it is typed, with a masked handle', async () => {
    const { owner, code } = await prizeOf();
    for (const typed of [code, code.toLowerCase(), code.replaceAll('-', ' ')]) {
      expect(await redeem(owner, typed, 'look')).toMatchObject({
        success: true,
        prize: { number: 1, handle: '@ma•••va', name: 'Caneca', type: 'physical', code, state: 'won', deliveredAt: null },
      });
    }
    expect(await redeem(owner, '0000-0000-001', 'look')).toMatchObject({ success: false, code: 'not_found' });
  });

  it('does not find prizes of other people’s wheels, and needs a login', async () => {
    const { code } = await prizeOf();
    const stranger = randomUUID();
    for (const action of ['look', 'deliver', 'undo', 'void'])
      expect(await redeem(stranger, code, action, { reason: 'x' })).toEqual({
        success: false,
        error: 'Não encontramos este código entre os prêmios das suas roletas. Confira as letras.',
        code: 'not_found',
      });
    for (const name of ['prize-redemption', 'wheel-round', 'prize-audit'])
      expect((await ask(name, null, { code, action: 'look', automationId: randomUUID() })).status).toBe(401);
    expect((await ask('prize-redemption', stranger, { code, action: 'steal' })).status).toBe(400);
  });

  it('delivers a prize once, whichever of two counters was first, and takes that back within 24 hours', async () => {
    const { owner, code, wheel } = await prizeOf();
    const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(owner, code, 'deliver')));
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
    expect(answers.find(({ success }) => !success)).toMatchObject({
      error: expect.stringMatching(/^Este prêmio já foi entregue em \d\d\/\d\d\/\d{4} às \d\d:\d\d\.$/),
    });
    expect(await redeem(owner, code, 'void', { reason: 'engano' })).toMatchObject({ success: false, code: 'delivered' });
    expect(await redeem(owner, code, 'undo')).toMatchObject({ success: true, prize: { state: 'won', deliveredAt: null } });
    expect(await redeem(owner, code, 'undo')).toMatchObject({ success: false, code: 'not_undone' });
    expect(await redeem(owner, code, 'deliver')).toMatchObject({ success: true, prize: { state: 'delivered' } });
    await wheels.dataSource.query(
      `update prize_wheel_participations set delivered_at = delivered_at - interval '25 hours' where automation_id = $1`,
      [wheel.automationId],
    );
    expect(await redeem(owner, code, 'undo')).toMatchObject({ success: false, error: 'A entrega só pode ser desfeita em até 24 horas.' });
  });

  it('takes a prize back with a reason: its unit can be won again, and the chain says so', async () => {
    const { owner, code, wheel } = await prizeOf();
    expect(await wheel.spin('@outra')).toMatchObject({ success: false });
    expect(await redeem(owner, code, 'void', { reason: '  ' })).toMatchObject({ success: false, code: 'reason_missing' });
    const answers = await Promise.all([1, 2, 3].map(() => redeem(owner, code, 'void', { reason: 'não veio buscar' })));
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
    expect(await wheel.stock()).toEqual([{ prize_id: 'a', total: 1, given: 0, remaining: 1 }]);
    // The same handle may not spin again unless its owner says so, and does not read that it won.
    const voided = { success: false, code: 'voided', error: 'O prêmio deste @ foi cancelado. Fale com quem organiza a promoção.' };
    expect(await wheel.spin('@maria.silva')).toEqual(voided);
    expect(await wheel.ask({ action: 'check', leadData: { instagram: '@maria.silva' } })).toEqual(voided);
    expect(await wheel.spin('@outra')).toMatchObject({ success: true, participation: { number: 2, repeated: false } });
    const chain = await wheel.chain();
    expect(await verifyChain(wheel.automationId, chain)).toMatchObject({ draws: 2, checkedDraws: 2 });
    expect(chain.map(({ line }) => (JSON.parse(line) as string[])[0])).toEqual([
      'open',
      'stock',
      'draw',
      'close',
      'void',
      'open',
      'stock',
      'draw',
      'close',
    ]);
  });

  it('lets the winner of a prize that was taken back spin again when its owner says so', async () => {
    const { owner, code, wheel } = await prizeOf(2);
    expect(await redeem(owner, code, 'void', { reason: 'trocou de @', allowAgain: true })).toMatchObject({
      success: true,
      prize: { state: 'voided' },
    });
    expect(await wheel.spin('@maria.silva')).toMatchObject({ success: true, participation: { number: 2, repeated: false } });
    expect(await redeem(owner, code, 'deliver')).toMatchObject({ success: false, error: 'Este prêmio foi cancelado.' });
  });

  it('ends a round, which shows its seed and stays ended over edits, and begins the next one', async () => {
    const { owner, wheel } = await prizeOf(3);
    const round = async (action: string, userId = owner) =>
      JSON.parse((await ask('wheel-round', userId, { automationId: wheel.automationId, action })).text) as Record<string, unknown>;
    expect(await round('close', randomUUID())).toMatchObject({ success: false, code: 'not_found' });
    expect(await round('close')).toEqual({ success: true, round: 1, isOpen: false });
    expect(await round('close')).toEqual({ success: true, round: 1, isOpen: false });
    expect(await wheel.spin('@outra')).toMatchObject({ success: false, error: 'Esta rodada foi encerrada. Obrigado por participar!' });
    await wheel.edit([{ id: 'a', name: 'Caneca', quantity: 9, type: 'physical' }]);
    expect(await wheel.spin('@outra')).toMatchObject({ success: false, code: 'round_closed' });
    expect(await round('open')).toEqual({ success: true, round: 2, isOpen: true });
    expect(await wheel.spin('@outra')).toMatchObject({ success: true, participation: { number: 2 } });
    expect(await verifyChain(wheel.automationId, await wheel.chain())).toMatchObject({
      draws: 2,
      checkedDraws: 1,
    });
    const empty = await prizeOf();
    expect(
      JSON.parse((await ask('wheel-round', empty.owner, { automationId: empty.wheel.automationId, action: 'open' })).text),
    ).toMatchObject({
      success: false,
      code: 'exhausted',
    });
  });

  it('downloads the chain as a file that verifies, of own wheels only', async () => {
    const { owner, wheel } = await prizeOf(3);
    await wheel.spin('@outra');
    const file = await ask('prize-audit', owner, { automationId: wheel.automationId });
    expect(file.headers.get('content-type')).toContain('application/x-ndjson');
    const [heading, ...lines] = file.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(heading).toEqual({ format: 'decola-chain-v1', automation: wheel.automationId, round: 1, name: wheel.facts.name });
    expect(await verifyChain(wheel.automationId, lines as AuditLine[])).toMatchObject({ draws: 2, lines: 4 });
    expect(file.text).not.toMatch(/maria|outra/);
    expect((await ask('prize-audit', randomUUID(), { automationId: wheel.automationId })).status).toBe(404);
  });

  it('gives the chain to everybody once its owner publishes it, and only between rounds', async () => {
    const wheel = await wheels.publish([{ id: 'a', name: 'Caneca', quantity: 1 }], {}, { options: { publishAudit: true } });
    const { automationId, facts } = wheel;
    const open = await wheels.publish([{ id: 'a', name: 'Caneca', quantity: 2 }], {}, { options: { publishAudit: true } });
    const secret = await wheels.publish([{ id: 'a', name: 'Caneca', quantity: 1 }]);
    // The last unit ends the round of two of them.
    for (const each of [wheel, open, secret]) await each.spin('@maria.silva');
    const stranger = randomUUID();
    const strangers = await ask('prize-audit', stranger, { automationId });
    const anonymous = await ask('prize-audit', null, { automationId });
    expect([strangers.status, anonymous.status]).toEqual([200, 200]);
    expect(anonymous.text).toBe((await ask('prize-audit', facts.userId, { automationId })).text);
    expect(anonymous.text).toMatch(/close/);
    expect(anonymous.text).not.toMatch(/maria/);
    for (const hidden of [open, secret]) {
      expect((await ask('prize-audit', null, { automationId: hidden.automationId })).status).toBe(401);
      expect((await ask('prize-audit', stranger, { automationId: hidden.automationId })).status).toBe(404);
    }
  });
});
