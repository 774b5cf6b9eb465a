import { formatAgo, formatDue, formatRelativeTime } from './relative-time';

// 23:30 in São Paulo, already the 22nd in UTC.
const now = new Date('2026-11-22T02:30:00Z');

it.each([
  ['2026-11-21T18:00:00Z', 'hoje, 15:00'],
  ['2026-11-22T12:00:00Z', 'amanhã, 09:00'],
  ['2026-11-21T00:10:00Z', 'ontem, 21:10'],
  ['2026-12-01T12:00:00Z', '01/12/2026, 09:00'],
])('formats %s as %s', (at, words) => {
  expect(formatRelativeTime(at, now)).toBe(words);
});

it.each([
  ['2026-11-22T02:47:40Z', 'em 17 min'],
  ['2026-11-22T02:30:20Z', 'em instantes'],
  ['2026-11-22T02:20:00Z', 'em instantes'],
  ['2026-11-22T12:00:00Z', 'amanhã, 09:00'],
])('formats the due moment %s as %s', (at, words) => {
  expect(formatDue(at, now)).toBe(words);
});

it.each([
  ['2026-11-22T02:12:40Z', 'há 17 min'],
  ['2026-11-22T02:29:40Z', 'há instantes'],
  ['2026-11-22T02:31:00Z', 'há instantes'],
  ['2026-11-21T00:10:00Z', 'ontem, 21:10'],
])('formats the past moment %s as %s', (at, words) => {
  expect(formatAgo(at, now)).toBe(words);
});

it('formats times of another time zone', () => {
  expect(formatRelativeTime('2026-11-21T18:00:00Z', now, 'America/Manaus')).toBe('hoje, 14:00');
  // Already the 22nd in Lisbon.
  expect(formatAgo('2026-11-21T18:00:00Z', now, 'Europe/Lisbon')).toBe('ontem, 18:00');
});
