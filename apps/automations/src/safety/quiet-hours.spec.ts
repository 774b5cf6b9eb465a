import { isTimeZone, quietFromNext, quietHoursOf, quietUntil, restMinutes } from './quiet-hours.js';

const night = { from: '23:00', to: '07:00' };
const iso = (at: Date | null) => at?.toISOString() ?? null;

describe('quietUntil', () => {
  it.each([
    ['before midnight in Brasília', '2026-11-21T02:30:00Z', '2026-11-21T10:00:00.000Z'],
    ['after midnight in Brasília', '2026-11-21T09:59:00Z', '2026-11-21T10:00:00.000Z'],
  ])('is the morning %s', (_, now, expected) => expect(iso(quietUntil(night, new Date(now)))).toBe(expected));

  it.each(['2026-11-21T10:00:00Z', '2026-11-22T01:59:00Z'])('is null by day (%s)', (now) =>
    expect(quietUntil(night, new Date(now))).toBeNull(),
  );

  it('is null when quiet hours are switched off', () => expect(quietUntil(null, new Date('2026-11-21T04:00:00Z'))).toBeNull());

  it('may lie within one day', () => {
    expect(iso(quietUntil({ from: '12:00', to: '14:00' }, new Date('2026-11-21T15:30:00Z')))).toBe('2026-11-21T17:00:00.000Z');
  });

  it('is counted by the clock of the customer', () => {
    // 07:30 in Brasília is 06:30 in Manaus and 10:30 in Lisbon.
    const now = new Date('2026-11-21T10:30:00Z');
    expect(iso(quietUntil(night, now, 'America/Manaus'))).toBe('2026-11-21T11:00:00.000Z');
    expect(quietUntil(night, now, 'Europe/Lisbon')).toBeNull();
    expect(iso(quietUntil(night, new Date('2026-11-21T23:00:00Z'), 'Europe/Lisbon'))).toBe('2026-11-22T07:00:00.000Z');
  });

  it('is in the future in every minute of the nights in which clocks change', () => {
    for (const [day, to] of [
      ['2026-03-08', '02:30'],
      ['2026-11-01', '01:30'],
    ] as const) {
      for (let minute = 0; minute < 24 * 60; minute += 1) {
        const now = new Date(Date.parse(`${day}T00:00:00Z`) + minute * 60_000);
        const until = quietUntil({ from: '20:00', to }, now, 'America/New_York');
        if (until) expect(until.getTime()).toBeGreaterThan(now.getTime());
      }
    }
  });
});

describe('quietFromNext', () => {
  it.each([
    ['by day: this evening', '2026-11-21T15:00:00Z', 'America/Sao_Paulo', '2026-11-22T02:00:00.000Z'],
    ['at the beginning itself: the next evening', '2026-11-22T02:00:00Z', 'America/Sao_Paulo', '2026-11-23T02:00:00.000Z'],
    ['in the night: the next evening', '2026-11-22T04:00:00Z', 'America/Sao_Paulo', '2026-11-23T02:00:00.000Z'],
    ['by the clock of the customer', '2026-11-21T15:00:00Z', 'Europe/Lisbon', '2026-11-21T23:00:00.000Z'],
  ])('is, %s', (_, now, timeZone, expected) => expect(iso(quietFromNext(night, new Date(now), timeZone))).toBe(expected));

  it('is the repeated beginning for a run that began within the repeated hour', () => {
    const night = { from: '01:30', to: '08:00' };
    expect(iso(quietFromNext(night, new Date('2026-11-01T06:05:00Z'), 'America/New_York'))).toBe('2026-11-01T06:30:00.000Z');
  });
  it('is the clock change that leads into quiet hours, before their regular beginning', () => {
    // 01:59 becomes 01:00 at 06:00 UTC, so that the wall clock shows the end of the quiet hours once more.
    const evening = { from: '19:00', to: '01:30' };
    expect(iso(quietFromNext(evening, new Date('2026-11-01T05:35:00Z'), 'America/New_York'))).toBe('2026-11-01T06:00:00.000Z');
    expect(iso(quietFromNext(evening, new Date('2026-11-01T06:35:00Z'), 'America/New_York'))).toBe('2026-11-02T00:00:00.000Z');
    // 01:59 becomes 03:00 at 07:00 UTC, so that the beginning is skipped.
    const late = { from: '02:30', to: '09:00' };
    expect(iso(quietFromNext(late, new Date('2026-03-08T06:00:00Z'), 'America/New_York'))).toBe('2026-03-08T07:00:00.000Z');
  });
  it('is reached before any quiet minute, in every minute of the days around a clock change', () => {
    for (const day of ['2026-03-08', '2026-11-01']) {
      for (const quiet of [
        { from: '23:00', to: '07:00' },
        { from: '19:00', to: '01:30' },
        { from: '01:30', to: '08:00' },
        { from: '02:30', to: '09:00' },
      ]) {
        for (let minute = 0; minute < 24 * 60; minute += 17) {
          const now = new Date(Date.parse(`${day}T00:00:00Z`) + minute * 60_000);
          if (quietUntil(quiet, now, 'America/New_York')) continue;
          const next = quietFromNext(quiet, now, 'America/New_York')!;
          expect(quietUntil(quiet, next, 'America/New_York')).not.toBeNull();
          for (let at = now.getTime(); at < next.getTime(); at += 29 * 60_000)
            expect(quietUntil(quiet, new Date(at), 'America/New_York')).toBeNull();
        }
      }
    }
  });
  it('is null without quiet hours', () => expect(quietFromNext(null, new Date())).toBeNull());
});

describe('quietHoursOf', () => {
  it('takes the account’s own when both ends are set, else the usual ones', () => {
    expect(quietHoursOf({ from: '22:00', to: '06:00' }, night)).toEqual({ from: '22:00', to: '06:00' });
    expect(quietHoursOf({ from: null, to: null }, night)).toEqual(night);
    expect(quietHoursOf({ from: null, to: null }, null)).toBeNull();
  });
});

it.each([
  ['23:00', '07:00', 480],
  ['00:00', '06:00', 360],
  ['02:00', '05:30', 210],
  ['08:00', '08:00', 0],
])('counts the rest from %s to %s', (from, to, minutes) => expect(restMinutes({ from, to })).toBe(minutes));

it('knows a time zone from any other text', () => {
  expect(['America/Manaus', 'Europe/Lisbon', 'Brasilia', '', 'x'.repeat(500)].map(isTimeZone)).toEqual([true, true, false, false, false]);
});
