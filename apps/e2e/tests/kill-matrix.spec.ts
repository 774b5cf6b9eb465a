import { expect, test } from '@playwright/test';
import { killNames, Trial } from '../../../scripts/lib/chaos/trial.mjs';
import { deadline } from '../src/deadlines.js';

/**
 * Kills every process of a separate system once while customers use it, at moments that caused problems before. `npm run chaos` does the
 * same in random order for longer.
 */
test.describe('whatever is killed', () => {
  let trial: Trial;
  test.beforeAll(async () => {
    test.setTimeout(deadline(180_000));
    trial = await Trial.start({ customers: 2, followers: 240 });
  });
  test.afterAll(() => trial.stop());

  test('no action is repeated, no acknowledged write is lost, nobody loses session or plan, and all work is done in the end', async () => {
    test.setTimeout(deadline(15 * 60_000));
    for (const name of killNames) {
      await test.step(name, async () => expect(await trial.kill(name), name).toEqual([]));
    }
    expect(await trial.settle()).toEqual([]);
    expect(trial.acknowledged).toBeGreaterThan(100);
    const recoveries = trial.recoveries.map(({ name, seconds }) => `${name}: served again after ${seconds.toFixed(1)} s`);
    test.info().annotations.push({ type: 'recoveries', description: recoveries.join('\n') });
  });
});
