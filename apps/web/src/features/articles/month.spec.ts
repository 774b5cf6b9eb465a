import { automationOf, entryOf } from './articles.testing';
import { monthOf } from './month';

// A Sunday.
const now = new Date('2026-11-22T15:00:00Z');
const on = (date: string, ...parts: Parameters<typeof entryOf>) => {
  const entry = entryOf(...parts);
  return { ...entry, run: { ...entry.run, occurrence_at: `${date}T12:00:00Z` } };
};

describe('the month', () => {
  it('counts what was published, waits, did not come out and is to come', () => {
    const entries = [
      on('2026-11-18', {}, {}, { state: 'seen' }),
      on('2026-11-19', {}, {}, { state: 'blocked' }),
      on('2026-11-20', {}, { state: 'waiting_approval' }),
      on('2026-10-30', {}, {}, { state: 'seen' }),
      on('2026-11-17', { state: 'drafting' }),
    ];
    const month = monthOf(entries, [automationOf()], now);
    expect(month.name).toBe('novembro');
    expect(month.counts).toEqual({ published: 1, waiting: 1, failed: 1, due: 6 });
    // November of 2026 begins on a Sunday.
    expect([month.before, month.days.length]).toEqual([6, 30]);
    const marked = Object.fromEntries(month.days.filter(({ mark }) => mark !== 'none').map(({ day, mark }) => [day, mark]));
    expect(marked).toEqual({
      18: 'published',
      19: 'failed',
      20: 'waiting',
      23: 'due',
      24: 'due',
      25: 'due',
      26: 'due',
      27: 'due',
      30: 'due',
    });
    expect(month.days.find(({ isToday }) => isToday)?.day).toBe(22);
  });

  it('shows of several articles of a day what needs somebody', () => {
    const month = monthOf([on('2026-11-18', {}, {}, { state: 'seen' }), on('2026-11-18', {}, {}, { state: 'given_up' })], [], now);
    expect(month.days[17]?.mark).toBe('failed');
  });

  it('has nothing to come of an automation that is off', () => {
    expect(monthOf([], [automationOf({ is_active: false })], now).counts.due).toBe(0);
  });

  it('is that of Brasília', () => {
    expect(monthOf([], [], new Date('2026-12-01T01:00:00Z')).name).toBe('novembro');
    expect(monthOf([on('2026-11-18')], [], now).days.every(({ mark }) => mark === 'none')).toBe(true);
  });
});
