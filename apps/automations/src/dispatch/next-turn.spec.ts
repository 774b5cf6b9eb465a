import { nextOfInterval } from './next-turn.js';

describe('nextOfInterval', () => {
  const dueAt = new Date('2026-11-21T15:00:00Z');
  it.each([
    ['at once', '2026-11-21T15:00:00Z', '2026-11-21T15:15:00.000Z'],
    ['a little late', '2026-11-21T15:14:59Z', '2026-11-21T15:15:00.000Z'],
    ['after several missed turns', '2026-11-21T16:20:00Z', '2026-11-21T16:30:00.000Z'],
    ['before its time', '2026-11-21T14:59:00Z', '2026-11-21T15:15:00.000Z'],
  ])('keeps the interval when the turn came %s, and catches up no missed turn', (_, now, expected) =>
    expect(nextOfInterval(15 * 60_000, dueAt, new Date(now)).toISOString()).toBe(expected),
  );
});
