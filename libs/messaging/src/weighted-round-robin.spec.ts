import { runQueues, scheduledRunsQueue } from '@decola/contracts';
import { type WeightedQueue, WeightedRoundRobin } from './weighted-round-robin.js';

// Those of a browser worker: interactive runs, checks of pasted sessions, scheduled runs.
const queues = runQueues;
const names = queues.map(({ name }) => name as string);

/** Takes one job; `filled` names the queues that hold some. @returns name of the queue, and how many queues were asked */
async function takeFrom(
  roundRobin: WeightedRoundRobin<WeightedQueue>,
  filled: readonly string[],
): Promise<{ name: string | undefined; asked: number }> {
  let asked = 0;
  const name = await roundRobin.next(({ name }) => {
    asked += 1;
    return Promise.resolve(filled.includes(name) ? name : undefined);
  });
  return { name, asked };
}

/** Pseudo-random numbers from 0 to 1, the same in each run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const countsOf = (taken: readonly (string | undefined)[]) => names.map((name) => taken.filter((each) => each === name).length);

describe('WeightedRoundRobin', () => {
  it('gives each queue its share of any four jobs in a row, whatever queues were empty before', async () => {
    const random = randomNumbers(7);
    for (let round = 0; round < 300; round++) {
      const roundRobin = new WeightedRoundRobin<WeightedQueue>(queues);
      const before = Math.floor(random() * 20);
      for (let n = 0; n < before; n++)
        await takeFrom(
          roundRobin,
          names.filter(() => random() < 0.5),
        );
      const taken: (string | undefined)[] = [];
      for (let n = 0; n < 12; n++) taken.push((await takeFrom(roundRobin, names)).name);
      for (let first = 0; first + 4 <= taken.length; first++) expect(countsOf(taken.slice(first, first + 4))).toEqual([2, 1, 1]);
    }
  });

  it('takes the first job of a queue within four, however long the others were busy without it', async () => {
    const random = randomNumbers(11);
    for (const late of names) {
      const others = names.filter((name) => name !== late);
      for (let round = 0; round < 200; round++) {
        const roundRobin = new WeightedRoundRobin<WeightedQueue>(queues);
        const before = Math.floor(random() * 40);
        for (let n = 0; n < before; n++)
          await takeFrom(
            roundRobin,
            others.filter(() => random() < 0.7),
          );
        const taken: (string | undefined)[] = [];
        while (taken.at(-1) !== late) taken.push((await takeFrom(roundRobin, names)).name);
        expect(taken.length).toBeLessThanOrEqual(4);
      }
    }
  });

  it('skips empty queues: each call returns a job while any queue holds one', async () => {
    const roundRobin = new WeightedRoundRobin<WeightedQueue>(queues);
    for (let n = 0; n < 50; n++) expect((await takeFrom(roundRobin, [scheduledRunsQueue])).name).toBe(scheduledRunsQueue);
    expect(await takeFrom(roundRobin, [])).toEqual({ name: undefined, asked: 3 });
  });

  it('keeps its order when asking a queue failed', async () => {
    const roundRobin = new WeightedRoundRobin<WeightedQueue>(queues);
    await expect(roundRobin.next(() => Promise.reject(new Error('the channel closed')))).rejects.toThrow('the channel closed');
    const taken: (string | undefined)[] = [];
    for (let n = 0; n < 4; n++) taken.push((await takeFrom(roundRobin, names)).name);
    expect(countsOf(taken)).toEqual([2, 1, 1]);
  });
});
