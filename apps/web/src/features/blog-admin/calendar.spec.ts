import { automationOf, idOf, runOf } from './blog-admin.testing';
import { addMonths, boundsOf, type CalendarArticle, countsOf, dayOf, daysInWeeksOf, itemsOf, monthOf } from './calendar';

const november = { year: 2026, month: 10 };
const now = new Date('2026-11-22T15:00:00Z');
const nothing = { month: november, articles: [], runs: [], automations: [], topics: [], now };
const articleOf = (number: number, over: Partial<CalendarArticle> = {}): CalendarArticle => ({
  id: idOf(number),
  slug: `artigo-${number}`,
  title: `Artigo ${number}`,
  published: true,
  published_at: '2026-11-02T12:00:00Z',
  created_at: '2026-11-02T12:00:00Z',
  ...over,
});
const told = (items: ReturnType<typeof itemsOf>) => items.map(({ day, state, title }) => `${day} ${state} ${title}`);

describe('a month of the calendar', () => {
  it('is that of Brasília', () => {
    expect(dayOf('2026-11-01T02:59:59Z')).toBe('2026-10-31');
    expect(monthOf(new Date('2026-12-01T02:59:59Z'))).toEqual(november);
    expect(boundsOf(november)).toEqual({ from: new Date('2026-11-01T03:00:00Z'), to: new Date('2026-12-01T03:00:00Z') });
    expect(boundsOf({ year: 2026, month: 11 }).to).toEqual(new Date('2027-01-01T03:00:00Z'));
  });

  it('has a month before and after it, over the end of a year', () => {
    expect(addMonths({ year: 2026, month: 11 }, 1)).toEqual({ year: 2027, month: 0 });
    expect(addMonths({ year: 2026, month: 0 }, -1)).toEqual({ year: 2025, month: 11 });
  });

  it('is laid out in whole weeks that begin on Monday', () => {
    const days = daysInWeeksOf(november);
    expect(days).toHaveLength(42);
    // The first of November 2026 is a Sunday.
    expect(days.indexOf('2026-11-01')).toBe(6);
    expect(days.filter((day) => day !== null)).toHaveLength(30);
    expect(daysInWeeksOf({ year: 2027, month: 1 })).toHaveLength(28);
  });
});

describe('the entries of a month', () => {
  it('are articles on the day of their publication, and drafts on the day when they were written', () => {
    const items = itemsOf({
      ...nothing,
      articles: [
        articleOf(1, { published_at: '2026-11-03T01:00:00Z' }),
        articleOf(2, { published: false, published_at: null, created_at: '2026-11-20T12:00:00Z' }),
        articleOf(3, { published_at: '2026-12-01T12:00:00Z' }),
        articleOf(4, { published_at: null, created_at: '2026-11-05T12:00:00Z' }),
      ],
      runs: [runOf({ article_id: idOf(2), state: 'needs_review', reason: 'Um número sem fonte.', created_at: '2026-11-20T12:00:00Z' })],
    });
    expect(told(items)).toEqual(['2026-11-02 published Artigo 1', '2026-11-05 published Artigo 4', '2026-11-20 held Artigo 2']);
    expect(items[2]?.detail).toBe('Um número sem fonte.');
  });

  it('are runs that made no article, on the day for which they were due', () => {
    const items = itemsOf({
      ...nothing,
      runs: [
        runOf({ id: idOf(1), state: 'failed', reason: 'O provedor recusou o tema.', occurrence_at: '2026-11-11T12:00:00Z' }),
        runOf({ id: idOf(2), state: 'skipped', reason: 'Seus assuntos se esgotaram.', created_at: '2026-11-12T12:00:00Z' }),
        runOf({ id: idOf(3), state: 'drafting', progress: 300, created_at: '2026-11-22T14:00:00Z', title: 'Em escrita' }),
        // Its article was deleted.
        runOf({ id: idOf(4), state: 'published', article_id: idOf(44), created_at: '2026-11-10T12:00:00Z' }),
      ],
    });
    expect(told(items)).toEqual(['2026-11-11 failed hashtag local', '2026-11-12 skipped hashtag local', '2026-11-22 running Em escrita']);
    expect(items.map(({ detail }) => detail)).toEqual([
      'Falhou: O provedor recusou o tema.',
      'Pulado: Seus assuntos se esgotaram.',
      'Escrevendo (300 palavras)',
    ]);
  });

  it('are the dates to come of active automations, each with the topic that is planned for it', () => {
    const row = automationOf(1, { schedule_days: [1, 5] });
    const topic = (number: number, automationId: string) => ({
      id: idOf(number),
      blog_automation_id: automationId,
      title: `Assunto ${number}`,
      focus_keyword: 'x',
      position: number,
    });
    const items = itemsOf({
      ...nothing,
      automations: [row, automationOf(2, { is_active: false })],
      topics: [topic(7, row.id), topic(8, idOf(99)), topic(9, row.id)].map((each) => ({ ...each, state: 'planned' as const })),
    });
    expect(told(items)).toEqual(['2026-11-23 planned Assunto 7', '2026-11-27 planned Assunto 9', '2026-11-30 planned hashtag local']);
    expect(itemsOf({ ...nothing, automations: [row], month: { year: 2026, month: 9 } })).toEqual([]);
  });

  it('are counted by state, in one order and without zeros', () => {
    const items = itemsOf({
      ...nothing,
      articles: [articleOf(1), articleOf(2)],
      runs: [runOf({ state: 'failed', created_at: '2026-11-11T12:00:00Z' })],
    });
    expect(countsOf(items)).toEqual([
      { state: 'published', count: 2 },
      { state: 'failed', count: 1 },
    ]);
  });
});
