import fc from 'fast-check';
import { endOfProductDay, nextScheduleOccurrence } from './blog-schedule.js';
import { frequencies, frequencyMs, nextOccurrence } from '../fields/frequency.js';
import { normaliseHashtag, normaliseUsername, postAuthor, postShortcode } from '../fields/targets.js';

const instant = fc.date({ min: new Date('2025-01-01'), max: new Date('2035-01-01'), noInvalidDate: true });

describe('nextOccurrence', () => {
  it('is in the series, after now, and skips missed runs', () => {
    fc.assert(
      fc.property(fc.constantFrom(...frequencies), instant, instant, (frequency, due, now) => {
        const next = nextOccurrence(frequency, due, now);
        const interval = frequencyMs(frequency);
        expect(next.getTime()).toBeGreaterThan(Math.max(due.getTime(), now.getTime()));
        expect((next.getTime() - due.getTime()) % interval).toBe(0);
        if (now >= due) expect(next.getTime() - now.getTime()).toBeLessThanOrEqual(interval);
      }),
    );
  });
});

describe('nextScheduleOccurrence', () => {
  const weekdays = { type: 'weekly', time: '09:00', days: [1, 2, 3, 4, 5], dayOfMonth: null } as const;
  it.each([
    ['later today', weekdays, '2026-11-20T11:59:00Z', '2026-11-20T12:00:00.000Z'],
    ['over the weekend', weekdays, '2026-11-20T12:00:00Z', '2026-11-23T12:00:00.000Z'],
    ['tomorrow, in Brasília', { ...weekdays, type: 'daily', time: '23:30' }, '2026-11-21T02:31:00Z', '2026-11-22T02:30:00.000Z'],
    [
      'on the last day of a short month',
      { ...weekdays, type: 'monthly', dayOfMonth: 31 },
      '2027-02-01T00:00:00Z',
      '2027-02-28T12:00:00.000Z',
    ],
  ] as const)('is %s', (_, schedule, after, expected) => {
    expect(nextScheduleOccurrence(schedule, new Date(after))?.toISOString()).toBe(expected);
  });

  it('is never on a day of Brasília that the end of the day is taken of', () => {
    for (const [instant, end] of [
      ['2026-11-20T12:00:00Z', '2026-11-21T02:59:59.999Z'],
      ['2026-11-21T02:59:59.999Z', '2026-11-21T02:59:59.999Z'],
      ['2026-11-21T03:00:00Z', '2026-11-22T02:59:59.999Z'],
    ] as const)
      expect(endOfProductDay(new Date(instant)).toISOString()).toBe(end);
    const midnight = { ...weekdays, type: 'daily', time: '00:00' } as const;
    expect(nextScheduleOccurrence(midnight, endOfProductDay(new Date('2026-11-20T12:00:00Z')))?.toISOString()).toBe(
      '2026-11-21T03:00:00.000Z',
    );
  });

  it('is null when no day is chosen', () => {
    expect(nextScheduleOccurrence({ ...weekdays, days: [] }, new Date())).toBeNull();
  });
});

it.each([
  ['#Café', 'café'],
  ['##promo_2026', 'promo_2026'],
  ['duas palavras', null],
  ['#123', null],
  ['', null],
])('normalises the hashtag %j', (text, expected) => expect(normaliseHashtag(text)).toBe(expected));

it.each([
  ['@Padaria.Da_Ana', 'padaria.da_ana'],
  ['https://www.instagram.com/padaria/?hl=pt', 'padaria'],
  ['instagram.com/padaria', 'padaria'],
  ['https://www.instagram.com/padaria/p/C1a2b3D4/', 'padaria'],
  ['https://www.instagram.com/P/C1a2b3D4/', null],
  ['https://www.instagram.com/reel/C1a2b3D4/', null],
  ['https://www.instagram.com/stories/padaria/3100/', null],
  ['instagram.com/explore/tags/padaria/', null],
  ['@p', 'p'],
  ['padaria da ana', null],
  ['', null],
])('normalises the username %j', (text, expected) => expect(normaliseUsername(text)).toBe(expected));

it.each([
  ['https://www.instagram.com/p/C1a2b3D4/?img_index=1', 'C1a2b3D4'],
  ['https://www.instagram.com/maria/reel/C1a2b3D4', 'C1a2b3D4'],
  ['http://127.0.0.1:4100/p/C1a2b3D4/', 'C1a2b3D4'],
  ['https://www.instagram.com/maria/', null],
])('finds the shortcode of the post %j', (text, expected) => expect(postShortcode(text)).toBe(expected));

it.each([
  ['https://www.instagram.com/Maria.Doces/reel/C1a2b3D4', 'maria.doces'],
  ['https://www.instagram.com/p/C1a2b3D4/', null],
  ['https://www.instagram.com/reels/p/C1a2b3D4/', null],
  ['https://www.instagram.com/maria/p/', null],
])('finds the author in the URL of the post %j', (text, expected) => expect(postAuthor(text)).toBe(expected));
