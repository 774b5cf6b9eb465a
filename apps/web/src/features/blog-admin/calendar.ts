import { type ArticleRun, nextScheduleOccurrence, productTimeZone } from '@decola/contracts';
import { dayAt } from '../instagram-accounts/days';
import { type BlogAutomation, nextAfter, timeOf } from './automations';
import { type Outcome, outcomeOf, outcomeSentence, stepSentence } from './runs';
import type { Topic } from './topics';

/** A month of Brasília; `month` from 0. */
export interface Month {
  year: number;
  month: number;
}

/** An article of our own blog, as the calendar reads it. */
export interface CalendarArticle {
  id: string;
  slug: string;
  title: string;
  published: boolean;
  published_at?: string | null;
  created_at: string;
}

/** What a day of the calendar holds. */
export interface CalendarItem {
  key: string;
  state: Outcome | 'planned';
  /** `YYYY-MM-DD` in Brasília. */
  day: string;
  /** When on that day, for the order of items. */
  at: number;
  title: string;
  /** The whole sentence: why there is no article, or what is under way. */
  detail: string | null;
  keyword: string | null;
  article: CalendarArticle | null;
  run: ArticleRun | null;
  topic: Topic | null;
  automation: BlogAutomation | null;
}

/** `YYYY-MM-DD` in Brasília. */
export const dayOf = (at: string | Date): string => dayAt(new Date(at), productTimeZone);

export function monthOf(at: Date): Month {
  const [year = 0, month = 1] = dayOf(at).split('-').map(Number);
  return { year, month: month - 1 };
}

export function addMonths({ year, month }: Month, count: number): Month {
  const index = year * 12 + month + count;
  return { year: Math.floor(index / 12), month: ((index % 12) + 12) % 12 };
}

const dayMs = 86_400_000;
const midnights = { type: 'monthly', time: '00:00', days: null, dayOfMonth: 1 } as const;

/** First instant of a month in Brasília, and of the next. */
export function boundsOf(month: Month): { from: Date; to: Date } {
  // Two days before the month begins anywhere, the next first of a month is its own.
  const start = ({ year, month: index }: Month) => nextScheduleOccurrence(midnights, new Date(Date.UTC(year, index, 1) - 2 * dayMs))!;
  return { from: start(month), to: start(addMonths(month, 1)) };
}

/** Days of a month in whole weeks from Monday on, with null for the days of other months. */
export function daysInWeeksOf({ year, month }: Month): (string | null)[] {
  const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const before = (new Date(Date.UTC(year, month, 1)).getUTCDay() + 6) % 7;
  const cells: (string | null)[] = Array.from({ length: before }, () => null);
  for (let day = 1; day <= days; day += 1) cells.push(`${year}-${String(month + 1).padStart(2, '0')}-${String(day).padStart(2, '0')}`);
  while (cells.length % 7 !== 0) cells.push(null);
  return cells;
}

interface Facts {
  month: Month;
  articles: readonly CalendarArticle[];
  runs: readonly ArticleRun[];
  automations: readonly BlogAutomation[];
  /** Planned topics in their order. */
  topics: readonly Topic[];
  now: Date;
}

/** What a month holds: articles, runs that made none, and what active automations will write. */
export function itemsOf({ month, articles, runs, automations, topics, now }: Facts): CalendarItem[] {
  const { from, to } = boundsOf(month);
  const isInside = (at: number) => at >= from.getTime() && at < to.getTime();
  const runOfArticle = new Map(runs.flatMap((run) => (run.article_id === null ? [] : [[run.article_id, run] as const])));
  const written = articles.map((article) => articleItem(article, runOfArticle.get(article.id) ?? null, automations));
  // A run that has made an article is shown by the article, which may have been deleted since.
  const unwritten = runs.filter(({ article_id: id }) => id === null).map((run) => runItem(run, automations));
  const planned = automations.filter(({ is_active: isActive }) => isActive).flatMap((row) => plannedItems(row, topics, now, to));
  return [...written, ...unwritten, ...planned].filter(({ at }) => isInside(at)).toSorted((a, b) => a.at - b.at);
}

const automationOf = (id: string | null | undefined, automations: readonly BlogAutomation[]) =>
  automations.find((row) => row.id === id) ?? null;

function articleItem(article: CalendarArticle, run: ArticleRun | null, automations: readonly BlogAutomation[]): CalendarItem {
  const at = (article.published ? article.published_at : null) ?? article.created_at;
  return {
    key: `article-${article.id}`,
    state: article.published ? 'published' : 'held',
    day: dayOf(at),
    at: Date.parse(at),
    title: article.title,
    detail: article.published ? null : (run?.reason ?? null),
    keyword: run?.keyword ?? null,
    article,
    run,
    topic: null,
    automation: automationOf(run?.blog_automation_id, automations),
  };
}

function runItem(run: ArticleRun, automations: readonly BlogAutomation[]): CalendarItem {
  const at = run.occurrence_at ?? run.created_at;
  const state = outcomeOf(run);
  return {
    key: `run-${run.id}`,
    state,
    day: dayOf(at),
    at: Date.parse(at),
    title: run.title ?? run.keyword,
    detail: state === 'running' ? stepSentence(run) : outcomeSentence(run),
    keyword: run.keyword,
    article: null,
    run,
    topic: null,
    automation: automationOf(run.blog_automation_id, automations),
  };
}

/** The dates of an automation from now to the end of the month, each with the topic that is planned for it. */
function plannedItems(row: BlogAutomation, topics: readonly Topic[], now: Date, to: Date): CalendarItem[] {
  const own = topics.filter(({ blog_automation_id: id }) => id === row.id);
  const items: CalendarItem[] = [];
  for (let next = nextAfter(row, now); next && next < to; next = nextAfter(row, next)) {
    const topic = own[items.length] ?? null;
    items.push({
      key: `planned-${row.id}-${next.toISOString()}`,
      state: 'planned',
      day: dayOf(next),
      at: next.getTime(),
      title: topic?.title ?? row.keyword,
      detail: timeOf(row),
      keyword: row.keyword,
      article: null,
      run: null,
      topic,
      automation: row,
    });
  }
  return items;
}

export const countedStates = ['published', 'running', 'held', 'failed', 'skipped', 'planned'] as const;

/** How many items of each state there are; states without one are left out. */
export function countsOf(items: readonly CalendarItem[]): { state: (typeof countedStates)[number]; count: number }[] {
  return countedStates
    .map((state) => ({ state, count: items.filter((item) => item.state === state).length }))
    .filter(({ count }) => count > 0);
}

/** A day with more entries shows one less than this, and a button. */
const mostOfDay = 5;
const urgent: ReadonlySet<CalendarItem['state']> = new Set(['held', 'failed', 'running']);

/** The entries of a day that are shown at first, in their order: of many, those that somebody should look at come before the others. */
export function foremostOf(items: readonly CalendarItem[]): readonly CalendarItem[] {
  if (items.length <= mostOfDay) return items;
  const byUrgency = [...items.filter(({ state }) => urgent.has(state)), ...items.filter(({ state }) => !urgent.has(state))];
  const chosen = new Set(byUrgency.slice(0, mostOfDay - 1));
  return items.filter((item) => chosen.has(item));
}
