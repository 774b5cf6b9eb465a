import { formatMoment } from './moments';

// 23:30 in São Paulo, already the 22nd in UTC.
const now = new Date('2026-11-22T02:30:00Z');

it.each([
  ['2026-11-21T18:00:00Z', 'hoje, 15:00'],
  ['2026-11-22T12:00:00Z', 'amanhã, 09:00'],
  ['2026-11-21T00:10:00Z', 'ontem, 21:10'],
  ['2026-12-01T12:00:00Z', '01/12/2026, 09:00'],
])('says %s as %s', (at, words) => {
  expect(formatMoment(at, now)).toBe(words);
});
