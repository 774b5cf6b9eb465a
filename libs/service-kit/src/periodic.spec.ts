import { setTimeout as sleep } from 'node:timers/promises';
import { periodically, type PeriodicWork } from './periodic.js';

/** How long a run takes, which is longer than its interval. */
const runMs = 20;

const hourMs = 3_600_000;

/** Resolves when the condition holds; otherwise the test's time-out ends the wait. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5);
}

describe('periodically', () => {
  let work: PeriodicWork;
  afterEach(() => work?.stop());

  it('runs at once, not only after the interval', async () => {
    let runs = 0;
    work = periodically(() => Promise.resolve(runs++), { intervalMs: hourMs, onError: () => undefined });
    await until(() => runs === 1);
  });

  it('retries a failed run after the shorter pause', async () => {
    let runs = 0;
    const errors: unknown[] = [];
    const failure = new Error('the database is away');
    work = periodically(() => (++runs < 3 ? Promise.reject(failure) : Promise.resolve()), {
      intervalMs: hourMs,
      retryMs: 10,
      onError: (error) => void errors.push(error),
    });
    await until(() => runs === 3);
    expect(errors).toEqual([failure, failure]);
  });

  it('never runs twice at the same time, and a stop waits for the run under way', async () => {
    let [now, most, runs] = [0, 0, 0];
    work = periodically(
      async () => {
        most = Math.max(most, ++now);
        await sleep(runMs);
        now -= 1;
        runs += 1;
      },
      { intervalMs: 1, onError: () => undefined },
    );
    await until(() => runs >= 3);
    await until(() => now === 1);
    await work.stop();
    const ended = runs;
    expect([now, most]).toEqual([0, 1]);
    await sleep(3 * runMs);
    expect(runs).toBe(ended);
  });
});
