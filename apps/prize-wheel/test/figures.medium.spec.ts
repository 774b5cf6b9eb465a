import { randomUUID } from 'node:crypto';
import { automationDeleted, prizeStats, type PrizeStats } from '@decola/contracts';
import { Clock } from '@decola/service-kit';
import { accountExportOf, authenticated, eventually, publishTestEvent } from '@decola/testing';
import { VisitCounts } from '../src/figures/visit-counts.service.js';
import { type TestWheel, type WheelUnderTest, wheelUnderTest } from './support/wheel.js';

/** The figures that the owner of a wheel sees. */
describe('the figures of a wheel', () => {
  let wheels: WheelUnderTest;
  let counts: VisitCounts;
  beforeAll(async () => {
    wheels = await wheelUnderTest();
    counts = wheels.app.get(VisitCounts);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => wheels?.dispose());

  const ask = async (userId: string | null, body: Record<string, unknown>) => {
    const response = await fetch(`${wheels.url}/functions/v1/prize-stats`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(userId === null ? {} : authenticated(userId)) },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const statsOf = async ({ automationId, facts }: TestWheel, more: Record<string, unknown> = {}): Promise<PrizeStats> =>
    prizeStats.parse((await ask(facts.userId, { automationId, ...more })).body);
  const at = (instant: string) => jest.spyOn(wheels.app.get(Clock), 'now').mockReturnValue(new Date(instant));

  it('counts views and those who went on by the day in São Paulo, and stores them at once for all wheels', async () => {
    const [wheel, other] = [await wheels.publish([{ id: 'a', name: 'Caneca', quantity: 1 }]), await wheels.publish([])];
    // 02:30 in UTC is the evening before in São Paulo.
    at('2026-03-05T02:30:00.000Z');
    for (let visit = 0; visit < 3; visit++) counts.viewed(wheel.automationId);
    counts.continued(wheel.automationId);
    await counts.flush();
    at('2026-03-05T03:30:00.000Z');
    counts.viewed(wheel.automationId);
    counts.viewed(other.automationId);
    // Of a wheel that was deleted meanwhile.
    counts.viewed(randomUUID());
    await counts.flush();
    counts.viewed(wheel.automationId);
    await counts.flush();
    const { totals, days } = await statsOf(wheel, { days: 3 });
    expect(totals).toMatchObject({ views: 5, continued: 1, spins: 0 });
    expect(days).toEqual([
      { day: '2026-03-03', views: 0, continued: 0, spins: 0 },
      { day: '2026-03-04', views: 3, continued: 1, spins: 0 },
      { day: '2026-03-05', views: 2, continued: 0, spins: 0 },
    ]);
    expect((await statsOf(wheel)).days).toHaveLength(30);
    expect((await statsOf(other)).totals.views).toBe(1);
  });

  it('loses no count when the database does not answer, and stores the rest when the service ends', async () => {
    const wheel = await wheels.publish([]);
    counts.viewed(wheel.automationId);
    const query = jest.spyOn(wheels.app.get(VisitCounts)['dataSource'], 'query').mockRejectedValueOnce(new Error('away'));
    await expect(counts.flush()).rejects.toThrow('away');
    query.mockRestore();
    counts.continued(wheel.automationId);
    const replica = await wheels.replica();
    try {
      await counts.flush();
      expect((await statsOf(wheel)).totals).toMatchObject({ views: 1, continued: 1 });
      replica.app.get(VisitCounts).viewed(wheel.automationId);
    } finally {
      await replica.close();
    }
    expect((await statsOf(wheel)).totals).toMatchObject({ views: 2, continued: 1 });
  });

  it('tells what became of the prizes, with the seed of a round once it is closed', async () => {
    const wheel = await wheels.publish([
      { id: 'a', name: 'Caneca', quantity: 3, type: 'physical' },
      { id: 'b', name: 'Vale', quantity: 1 },
    ]);
    for (const handle of ['@a', '@b', '@c']) await wheel.spin(handle);
    await wheels.dataSource.query(
      `update prize_wheel_participations set state = case number when 1 then 'delivered' else 'voided' end where automation_id = $1 and number < 3`,
      [wheel.automationId],
    );
    const before = await statsOf(wheel, { days: 1 });
    expect(before.totals).toEqual({ views: 0, continued: 0, spins: 3, won: 1, delivered: 1, expired: 0, voided: 1 });
    expect(before.days).toMatchObject([{ spins: 3 }]);
    expect(before.prizes.map(({ id, total, isRemoved }) => ({ id, total, isRemoved }))).toEqual([
      { id: 'a', total: 3, isRemoved: false },
      { id: 'b', total: 1, isRemoved: false },
    ]);
    expect(before.prizes.reduce((sum, { given }) => sum + given, 0)).toBe(3);
    expect(before.prizes.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(1);
    expect(before.round).toMatchObject({ number: 1, isOpen: true, seed: null });
    await wheel.spin('@d');
    await wheel.edit([{ id: 'a', name: 'Caneca', quantity: 3, type: 'physical' }]);
    const after = await statsOf(wheel);
    expect(after.round).toMatchObject({
      number: 1,
      isOpen: false,
      commitment: before.round?.commitment,
      seed: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(after.prizes).toMatchObject([
      { id: 'a', given: 3, remaining: 0, isRemoved: false },
      { id: 'b', given: 1, remaining: 0, isRemoved: true },
    ]);
    expect((await statsOf(await wheels.publish([]))).round).toBeNull();
  });

  it('names networks from which many spun, without saying which', async () => {
    const wheel = await wheels.publish([{ id: 'a', name: 'Caneca', quantity: 20 }]);
    for (let visitor = 1; visitor <= 10; visitor++) await wheel.spin(`@visitor${visitor}`);
    await wheels.dataSource.query(
      `update prize_wheel_participations set network_key = case when number <= 6 then '\\x01'::bytea when number <= 9 then '\\x02'::bytea end
       where automation_id = $1`,
      [wheel.automationId],
    );
    const { sameNetwork } = await statsOf(wheel);
    expect(sameNetwork).toMatchObject([{ spins: 6, numbers: [6, 5, 4, 3, 2, 1] }]);
    expect(Object.keys(sameNetwork[0] ?? {}).sort()).toEqual(['firstAt', 'lastAt', 'numbers', 'spins']);
  });

  it('answers the owner only', async () => {
    const wheel = await wheels.publish([]);
    expect(await ask(randomUUID(), { automationId: wheel.automationId })).toEqual({
      status: 200,
      body: { success: false, error: 'Roleta não encontrada', code: 'not_found' },
    });
    expect((await ask(null, { automationId: wheel.automationId })).status).toBe(401);
    for (const body of [{}, { automationId: 'x' }, { automationId: wheel.automationId, days: 366 }])
      expect((await ask(wheel.facts.userId, body)).status).toBe(400);
  });

  it('is part of the data export, and is erased with the wheel', async () => {
    const wheel = await wheels.publish([], { name: 'Contada' });
    at('2026-03-05T12:00:00.000Z');
    counts.viewed(wheel.automationId);
    await counts.flush();
    const files = await accountExportOf(wheels.url, wheel.facts.userId);
    expect(JSON.parse(files['roletas/visitas.json'] ?? '')).toEqual([
      { roleta: wheel.automationId, dia: '2026-03-05', visualizacoes: 1, continuaram: 0 },
    ]);
    const { automationId, facts } = wheel;
    await publishTestEvent(wheels.broker.url, automationDeleted, { automationId, userId: facts.userId, type: facts.type });
    await eventually(async () =>
      expect(await wheels.dataSource.query('select 1 from wheel_days where automation_id = $1', [automationId])).toEqual([]),
    );
  });
});
