import { after, day, periodEnd, prorated } from './calendar.js';

const at = (text: string) => Date.parse(text) / 1000;
const iso = (seconds: number) => new Date(seconds * 1000).toISOString();

describe('the calendar of subscriptions', () => {
  it('keeps the day of the anchor through short months', () => {
    const anchor = at('2027-01-31T12:00:00Z');
    const monthly = { interval: 'month', interval_count: 1 } as const;
    expect([1, 2, 3].map((count) => iso(after(anchor, monthly, count)))).toEqual([
      '2027-02-28T12:00:00.000Z',
      '2027-03-31T12:00:00.000Z',
      '2027-04-30T12:00:00.000Z',
    ]);
    expect(iso(periodEnd(anchor, monthly, at('2027-02-28T12:00:00Z')))).toBe('2027-03-31T12:00:00.000Z');
    expect(iso(after(at('2028-02-29T00:00:00Z'), { interval: 'year', interval_count: 1 }, 1))).toBe('2029-02-28T00:00:00.000Z');
  });

  it('prorates to the second, each line half up', () => {
    const length = 30 * day;
    expect(prorated(8900, 20 * day, length) - prorated(4900, 20 * day, length)).toBe(5933 - 3267);
    expect([prorated(14900, length / 2, length), prorated(4900, length / 2, length)]).toEqual([7450, 2450]);
    expect(prorated(1, 1, 2)).toBe(1);
  });
});
