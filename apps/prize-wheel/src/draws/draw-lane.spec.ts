import { setTimeout as sleep } from 'node:timers/promises';
import { DrawLane, drawLaneDefaults } from './draw-lane.js';
import { plainSpin, type Spin, type SpinOutcome } from './spin.js';

/** The lane does in the meantime what it has begun. */
const turnMs = 1;

const spin = (automationId: string, handle: string): Spin => ({ ...plainSpin, automationId, handle, spinKeyHash: null, fields: {} });
const none = (spins: readonly Spin[]): Promise<SpinOutcome[]> => Promise.resolve(spins.map(() => ({ kind: 'none_left' })));

/** A draw that ends when the test says so. */
function heldDraw() {
  const batches: string[][] = [];
  const ends: (() => void)[] = [];
  const draw = (spins: readonly Spin[]): Promise<SpinOutcome[]> => {
    batches.push(spins.map(({ handle }) => handle));
    return new Promise((resolve) => ends.push(() => resolve(spins.map(() => ({ kind: 'none_left' })))));
  };
  const begun = async () => {
    while (ends.length === 0) await sleep(1);
  };
  const next = async () => {
    await begun();
    ends.shift()?.();
    await sleep(turnMs);
  };
  return { batches, draw, begun, next };
}

describe('the lane of a replica', () => {
  afterEach(() => jest.restoreAllMocks());

  it('draws a single spin at once, and what arrived meanwhile in one batch', async () => {
    const { batches, draw, begun, next } = heldDraw();
    const lane = new DrawLane(draw);
    const answers = [lane.spin(spin('w', 'a'))];
    await begun();
    answers.push(...['b', 'c', 'd'].map((handle) => lane.spin(spin('w', handle))));
    expect(lane.length).toBe(3);
    await next();
    await next();
    await Promise.all(answers);
    expect(batches).toEqual([['a'], ['b', 'c', 'd']]);
  });

  it('takes wheels in turn, so that the storm of one delays no other', async () => {
    const { batches, draw, next } = heldDraw();
    const lane = new DrawLane(draw, { ...drawLaneDefaults, batch: 4 });
    const answers = ['1', '2', '3', '4', '5', '6'].map((handle) => lane.spin(spin('storm', handle)));
    answers.push(lane.spin(spin('calm', 'x')));
    for (let batch = 0; batch < 2; batch++) await next();
    await Promise.all(answers);
    expect(batches).toEqual([
      ['1', 'x', '2', '3'],
      ['4', '5', '6'],
    ]);
  });

  it('refuses with a time to wait when too many wait, for a wheel and in all', async () => {
    const { draw, next } = heldDraw();
    const lane = new DrawLane(draw, { ...drawLaneDefaults, mostOfWheel: 2, mostOfAll: 3 });
    const answers = ['1', '2'].map((handle) => lane.spin(spin('a', handle)));
    await expect(lane.spin(spin('a', '3'))).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    answers.push(lane.spin(spin('b', '1')));
    await expect(lane.spin(spin('c', '1'))).rejects.toMatchObject({ status: 503 });
    await next();
    await Promise.all(answers);
    expect(lane.length).toBe(0);
  });

  it('expects a crowd to wait for batches, not for each spin of it', async () => {
    // Time that passes only in draws: on a busy machine each would take longer than it says.
    let [now, ms] = [0, 40];
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const draw = (spins: readonly Spin[]) => ((now += ms), none(spins));
    const lane = new DrawLane(draw, { ...drawLaneDefaults, longestWaitMs: 100 });
    await lane.spin(spin('w', 'alone'));
    await Promise.all(Array.from({ length: 100 }, (_, index) => lane.spin(spin('w', `v${index}`))));
    ms = 600;
    await lane.spin(spin('w', 'slow'));
    await sleep(turnMs);
    const first = lane.spin(spin('w', 'first'));
    await expect(lane.spin(spin('w', 'second'))).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    await first;
  });

  it('halves a failing batch until the spin that cannot be drawn stands alone', async () => {
    const lane = new DrawLane((spins) => (spins.some(({ handle }) => handle === 'bad') ? Promise.reject(new Error('no')) : none(spins)));
    const settled = await Promise.allSettled(['a', 'b', 'bad', 'c', 'd'].map((handle) => lane.spin(spin('w', handle))));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  });

  it('refuses all at once while the database is away', async () => {
    let tries = 0;
    const lane = new DrawLane(() => {
      tries += 1;
      return Promise.reject(Object.assign(new Error('gone'), { code: '57P01' }));
    });
    const settled = await Promise.allSettled(['a', 'b', 'c'].map((handle) => lane.spin(spin('w', handle))));
    expect(settled.map((each) => (each.status === 'rejected' ? (each.reason as { status?: number }).status : 200))).toEqual([
      503, 503, 503,
    ]);
    expect(tries).toBe(1);
  });

  it('answers what waits before it ends, and nothing new', async () => {
    const { draw, next } = heldDraw();
    const lane = new DrawLane(draw);
    const waiting = lane.spin(spin('w', 'a'));
    const drained = lane.drain();
    await expect(lane.spin(spin('w', 'b'))).rejects.toMatchObject({ status: 503 });
    await next();
    await drained;
    expect(await waiting).toEqual({ kind: 'none_left' });
  });
});
