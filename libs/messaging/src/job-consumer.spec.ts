import { idlePause } from './job-consumer.js';

describe('the pause before empty queues are asked again', () => {
  it.each([
    [0, 100],
    [1_999, 100],
    [4_000, 200],
    [10_000, 500],
    [86_400_000, 500],
  ])('%s ms after the last job is %s ms', (sinceJobMs, pauseMs) => {
    expect(Math.round(idlePause(100, sinceJobMs))).toBe(pauseMs);
  });
});
