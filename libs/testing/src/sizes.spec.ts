import { casesOf, shareOf, sizeOf } from './sizes.js';

describe('the size of a test', () => {
  const before = process.env['TEST_SIZE'];
  afterEach(() => {
    if (before === undefined) delete process.env['TEST_SIZE'];
    else process.env['TEST_SIZE'] = before;
  });
  const cases = [
    ['a', 1],
    ['b', 2],
    ['c', 1],
  ] as const;

  it('is small in the gate: one case of each class, the first', () => {
    delete process.env['TEST_SIZE'];
    expect(sizeOf({ gate: 2, long: 20 })).toBe(2);
    expect(casesOf(cases, ([, kind]) => kind)).toEqual([cases[0], cases[1]]);
    expect([0, 1].map((place) => shareOf(cases, { place, places: 2 }))).toEqual([[cases[0], cases[2]], [cases[1]]]);
  });

  it('is full in the long runs', () => {
    process.env['TEST_SIZE'] = 'full';
    expect(sizeOf({ gate: 2, long: 20 })).toBe(20);
    expect(casesOf(cases, ([, kind]) => kind)).toEqual(cases);
    expect(shareOf(cases, { place: 1, places: 2 })).toEqual(cases);
  });
});
