import { randomOf } from './random.js';

const draws = (...seed: (string | number)[]) => {
  const random = randomOf(...seed);
  return Array.from({ length: 20 }, () => random.integer(1, 1000));
};

it('draws the same for the same seed, and something else for another one', () => {
  expect(draws('a', 1)).toEqual(draws('a', 1));
  expect(draws('a', 1)).not.toEqual(draws('a', 2));
  // The parts are kept apart.
  expect(draws('ab', 'c')).not.toEqual(draws('a', 'bc'));
});

it('draws every item of a deck once before it begins again', () => {
  const draw = randomOf('deck').deck(['a', 'b', 'c', 'd']);
  for (let round = 0; round < 3; round++) expect([draw(), draw(), draw(), draw()].sort()).toEqual(['a', 'b', 'c', 'd']);
});

it('spreads its numbers evenly', () => {
  const random = randomOf('spread');
  const counts = new Array<number>(10).fill(0);
  for (let draw = 0; draw < 10_000; draw++) counts[random.integer(0, 9)]! += 1;
  expect(Math.min(...counts)).toBeGreaterThan(850);
  expect(Math.max(...counts)).toBeLessThan(1150);
});
