import { createHmac } from 'node:crypto';
import { drawText, prizeAt, rollOf, unitsLeft } from './draw.js';

const automationId = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const seed = Buffer.from('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', 'hex');

function roll(total: number, number: number, key = seed): number {
  for (let attempt = 0; ; attempt++) {
    const mac = createHmac('sha256', key)
      .update(drawText({ automationId, round: 1, number, attempt }))
      .digest();
    const value = rollOf(mac, total);
    if (value !== undefined) return value;
  }
}

/** Upper bound of chi-squared for p = 0.001 (Wilson and Hilferty's approximation, good from 3 degrees of freedom). */
const limitOf = (degrees: number): number => degrees * (1 - 2 / (9 * degrees) + 3.0902 * Math.sqrt(2 / (9 * degrees))) ** 3;

const chiSquared = (counts: readonly number[], expected: readonly number[]): number =>
  counts.reduce((sum, count, index) => sum + (count - (expected[index] ?? 0)) ** 2 / (expected[index] ?? 0), 0);

describe('the draw', () => {
  it('hashes a text that names wheel, round, number and attempt', () => {
    expect(drawText({ automationId, round: 2, number: 34, attempt: 1 })).toBe(`decola-draw-v1|${automationId}|2|34|1`);
  });

  it('takes the first 48 bits and rejects what lies above the largest multiple of the total', () => {
    const mac = (high: number, low: number) => Buffer.from([...Buffer.from([high, high, high, high, high, low]), 1, 2, 3]);
    expect(rollOf(mac(0, 7), 5)).toBe(2);
    expect(rollOf(mac(255, 255), 1)).toBe(0);
    // 2^48 is one more than a multiple of 3, of 5 and of 15: only the highest value is rejected.
    expect(rollOf(mac(255, 255), 15)).toBeUndefined();
    expect(rollOf(mac(255, 254), 15)).toBe(14);
    expect(rollOf(mac(255, 255), 2 ** 31)).toBe(2 ** 31 - 1);
  });

  it('walks the prizes in their order, and passes over what is gone', () => {
    const stock = [
      { id: 'a', remaining: 2 },
      { id: 'b', remaining: 0 },
      { id: 'c', remaining: 1 },
    ];
    expect(unitsLeft(stock)).toBe(3);
    expect([0, 1, 2].map((unit) => prizeAt(stock, unit).id)).toEqual(['a', 'a', 'c']);
    expect(() => prizeAt(stock, 3)).toThrow(RangeError);
  });

  it('gives every unit the same chance in 100,000 draws, for totals of one, two, many and 2^31', () => {
    expect(Array.from({ length: 100 }, (_, index) => roll(1, index + 1)).every((unit) => unit === 0)).toBe(true);
    // Of 2^31 units, runs of 2^27 are counted together.
    for (const [total, cells, draws, limit] of [
      [2, 2, 30_000, 10.83],
      [100, 100, 40_000, limitOf(99)],
      [2 ** 31, 16, 30_000, limitOf(15)],
    ] as const) {
      const counts = new Array<number>(cells).fill(0);
      for (let number = 1; number <= draws; number++) {
        const cell = Math.floor((roll(total, number) * cells) / total);
        counts[cell] = (counts[cell] ?? 0) + 1;
      }
      expect(
        chiSquared(
          counts,
          counts.map(() => draws / cells),
        ),
      ).toBeLessThanOrEqual(limit);
    }
  });

  it('deals a whole deck in an order in which every prize is equally likely at every place', () => {
    const decks = 5_000;
    const prizes = ['a', 'b', 'c', 'd'];
    const counts = new Array<number>(16).fill(0);
    for (let deck = 0; deck < decks; deck++) {
      const key = Buffer.concat([Buffer.from([deck >> 8, deck & 255]), seed.subarray(2)]);
      const stock = prizes.map((id) => ({ id, remaining: 1 }));
      for (let number = 1; number <= 4; number++) {
        const won = prizeAt(stock, roll(unitsLeft(stock), number, key));
        won.remaining -= 1;
        const cell = prizes.indexOf(won.id) * 4 + number - 1;
        counts[cell] = (counts[cell] ?? 0) + 1;
      }
    }
    // Rows and columns of the table add up to the number of decks: 9 degrees of freedom.
    expect(
      chiSquared(
        counts,
        counts.map(() => decks / 4),
      ),
    ).toBeLessThanOrEqual(limitOf(9));
  });
});
