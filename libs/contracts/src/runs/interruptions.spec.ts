import { longestInterruptionPauseMs, pauseAfterInterruption } from './interruptions.js';

it('pauses after interruptions grow from the fourth in a row, up to the longest', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 60].map(pauseAfterInterruption)).toEqual([
    0,
    0,
    0,
    10_000,
    20_000,
    40_000,
    80_000,
    ...Array<number>(3).fill(longestInterruptionPauseMs),
  ]);
});
