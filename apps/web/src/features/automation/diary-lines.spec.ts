import { linesOfEntries, linesOfRuns } from './diary-lines';
import type { DiaryEntry, DiaryRun } from './diary-queries';
import { dayName, dayOf, daysUntil } from './moments';

const run = (id: string, at: string, over: Partial<DiaryRun> = {}): DiaryRun => ({
  id,
  kind: 'follow',
  state: 'finished',
  outcome: 'done',
  reason: null,
  queued_at: at,
  started_at: at,
  finished_at: at,
  tried: 3,
  confirmed: 2,
  skipped: 1,
  pages: 2,
  picture_id: null,
  ...over,
});
const entry = (id: string, at: string, over: Partial<DiaryEntry> = {}): DiaryEntry => ({
  id,
  run_id: 'r1',
  action: 'follow',
  target_id: id,
  target_username: 'bia.roma',
  post_code: null,
  text: null,
  outcome: 'confirmed',
  skip_reason: null,
  reason: null,
  settled: false,
  at,
  picture_id: null,
  ...over,
});
const closed = { acts: true, entriesOf: () => null, target: 'person' as const };
const shapeOf = (lines: ReturnType<typeof linesOfRuns>) => lines.map(({ kind, key }) => [kind, key]);

describe('the lines of runs', () => {
  it('begin with the run at work, then a name for each day with its totals', () => {
    const lines = linesOfRuns(
      [
        run('now', '2026-11-22T18:00:00Z', { state: 'running', outcome: null, finished_at: null }),
        run('a', '2026-11-22T17:00:00Z'),
        run('b', '2026-11-22T16:00:00Z', { tried: 1, confirmed: 1, skipped: 0 }),
        run('c', '2026-11-22T02:30:00Z'),
      ],
      false,
      closed,
    );
    expect(shapeOf(lines)).toEqual([
      ['now', 'now'],
      ['run', 'now'],
      ['day', 'day-2026-11-22'],
      ['run', 'a'],
      ['run', 'b'],
      // Half past two in UTC is the evening before in Brasília.
      ['day', 'day-2026-11-21'],
      ['run', 'c'],
    ]);
    expect(lines[2]).toMatchObject({ totals: { done: 3, skipped: 1, failed: 1 } });
  });

  it('have no totals of a day whose runs are not all known', () => {
    const lines = linesOfRuns([run('a', '2026-11-22T17:00:00Z'), run('b', '2026-11-21T17:00:00Z')], true, closed);
    expect(lines.filter(({ kind }) => kind === 'day')).toMatchObject([{ totals: { done: 2 } }, { totals: null }]);
  });

  it('show what came of each person below an open run', () => {
    const entries = [entry('e1', '2026-11-22T17:00:10Z'), entry('e2', '2026-11-22T17:01:10Z')];
    const lines = linesOfRuns([run('a', '2026-11-22T17:00:00Z'), run('b', '2026-11-22T16:00:00Z')], false, {
      ...closed,
      entriesOf: ({ id }) => (id === 'a' ? { state: 'ready', entries, isCut: true } : null),
    });
    expect(shapeOf(lines)).toEqual([
      ['day', 'day-2026-11-22'],
      ['run', 'a'],
      ['head', 'head-a'],
      ['entry', 'e1'],
      ['entry', 'e2'],
      ['note', 'note-a'],
      ['run', 'b'],
    ]);
    expect(lines.filter(({ kind }) => kind === 'run')).toMatchObject([{ isOpen: true }, { isOpen: false }]);
    expect(lines.find(({ kind }) => kind === 'note')).toMatchObject({ note: 'more' });
  });

  it.each(['loading', 'failed'] as const)('say that those of an open run are %s', (state) => {
    const lines = linesOfRuns([run('a', '2026-11-22T17:00:00Z')], false, { ...closed, entriesOf: () => ({ state }) });
    expect(lines.at(-1)).toMatchObject({ kind: 'note', note: state });
  });

  it('cannot be opened when a run reached nobody, or only reads', () => {
    const idle = run('a', '2026-11-22T17:00:00Z', { tried: 0, confirmed: 0, skipped: 0 });
    const opensOf = (acts: boolean, of: DiaryRun) => linesOfRuns([of], false, { ...closed, acts }).find(({ kind }) => kind === 'run');
    expect(opensOf(true, idle)).toMatchObject({ opens: false });
    expect(opensOf(false, run('b', '2026-11-22T17:00:00Z'))).toMatchObject({ opens: false });
    expect(opensOf(true, run('b', '2026-11-22T17:00:00Z'))).toMatchObject({ opens: true });
  });

  it('have the picture of a run that was stopped while it was reading', () => {
    const lines = linesOfRuns([run('a', '2026-11-22T17:00:00Z', { picture_id: 'p' })], false, closed);
    expect(lines.at(-1)).toMatchObject({ kind: 'picture', pictureId: 'p' });
  });
});

it('puts lines of a filter below their days', () => {
  const lines = linesOfEntries([
    entry('a', '2026-11-22T17:00:00Z'),
    entry('b', '2026-11-22T03:00:00Z'),
    entry('c', '2026-11-22T02:59:59Z'),
  ]);
  expect(lines.map(({ key }) => key)).toEqual(['day-2026-11-22', 'a', 'b', 'day-2026-11-21', 'c']);
});

it('makes the lines of a diary of 100,000 quickly', () => {
  const entries = Array.from({ length: 100_000 }, (_, index) =>
    entry(`e${index}`, new Date(Date.UTC(2026, 10, 22) - index * 60_000).toISOString()),
  );
  linesOfEntries(entries.slice(0, 1_000));
  const began = process.cpuUsage();
  expect(linesOfEntries(entries).length).toBeGreaterThan(100_000);
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(500);
});

describe('days', () => {
  const now = new Date('2026-11-22T18:00:00Z');

  it.each([
    ['2026-11-22T17:00:00Z', 'Hoje, 22 de novembro'],
    ['2026-11-22T02:00:00Z', 'Ontem'],
    ['2026-11-20T17:00:00Z', '20 de novembro'],
    ['2025-12-31T17:00:00Z', '31 de dezembro de 2025'],
  ])('%s is called %s', (at, name) => expect(dayName(at, now)).toBe(name));

  it('are those of Brasília', () => expect(dayOf('2026-11-22T02:59:00Z')).toBe('2026-11-21'));

  it('are counted up to the last one', () =>
    expect(daysUntil('2026-03-01', 3).map(({ day }) => day)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']));
});
