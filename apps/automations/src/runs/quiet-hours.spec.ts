import { quietUntil } from './quiet-hours.js';

const night = { from: '23:00', to: '07:00' };

describe('quietUntil', () => {
  it.each([
    ['before midnight in Brasília', '2026-11-21T02:30:00Z', '2026-11-21T10:00:00.000Z'],
    ['after midnight in Brasília', '2026-11-21T09:59:00Z', '2026-11-21T10:00:00.000Z'],
  ])('is the morning %s', (_, now, expected) => expect(quietUntil(night, new Date(now))?.toISOString()).toBe(expected));

  it.each(['2026-11-21T10:00:00Z', '2026-11-22T01:59:00Z'])('is none by day (%s)', (now) =>
    expect(quietUntil(night, new Date(now))).toBeNull(),
  );

  it('is none when switched off', () => expect(quietUntil(null, new Date('2026-11-21T04:00:00Z'))).toBeNull());

  it('may lie within one day', () => {
    expect(quietUntil({ from: '12:00', to: '14:00' }, new Date('2026-11-21T15:30:00Z'))?.toISOString()).toBe('2026-11-21T17:00:00.000Z');
  });
});
