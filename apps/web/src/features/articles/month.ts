import { nextScheduleOccurrence, productTimeZone } from '@decola/contracts';
import type { ArticleAutomation, Entry } from './article-data';
import { dateOf, dueAt, stateOf } from './entry-state';

export type DayMark = 'published' | 'waiting' | 'failed' | 'due' | 'none';

export interface MonthDay {
  /** 1 to 31. */
  day: number;
  mark: DayMark;
  isToday: boolean;
}

export interface Month {
  /** "novembro". */
  name: string;
  /** Empty places before the first day: weeks begin on Monday. */
  before: number;
  days: MonthDay[];
  counts: { published: number; waiting: number; failed: number; due: number };
}

const monthName = new Intl.DateTimeFormat('pt-BR', { month: 'long', timeZone: productTimeZone });

type Counted = keyof Month['counts'];
/** What a day shows of several articles: what needs somebody first. */
const urgency: readonly Counted[] = ['failed', 'waiting', 'published', 'due'];

/** The rest of the month's dates of an automation. */
function dueDates({ is_active: isActive, schedule_days: days, schedule_time: time }: ArticleAutomation, now: Date): string[] {
  if (!isActive || !time) return [];
  const dates: string[] = [];
  const month = dateOf(now).slice(0, 7);
  for (let last = now; ;) {
    const next = nextScheduleOccurrence({ type: 'weekly', time, days, dayOfMonth: null }, last);
    if (next === null || dateOf(next).slice(0, 7) !== month) return dates;
    dates.push(dateOf(next));
    last = next;
  }
}

/** This month in Brasília, with what happened and what is to come on each day. */
export function monthOf(entries: readonly Entry[], automations: readonly ArticleAutomation[], now: Date): Month {
  const today = dateOf(now);
  const [year = 0, month = 1] = today.split('-').map(Number);
  const counts = { published: 0, waiting: 0, failed: 0, due: 0 };
  const marks = new Map<string, Counted>();
  const add = (date: string, counted: Counted) => {
    if (!date.startsWith(today.slice(0, 7))) return;
    counts[counted] += 1;
    const before = marks.get(date);
    if (before === undefined || urgency.indexOf(counted) < urgency.indexOf(before)) marks.set(date, counted);
  };
  for (const entry of entries) {
    const { kind } = stateOf(entry, now);
    if (kind === 'published' || kind === 'waiting' || kind === 'failed') add(dateOf(dueAt(entry)), kind);
  }
  for (const automation of automations) for (const date of dueDates(automation, now)) add(date, 'due');
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return {
    name: monthName.format(now),
    before: (new Date(Date.UTC(year, month - 1, 1)).getUTCDay() + 6) % 7,
    days: Array.from({ length }, (_, index) => {
      const date = `${today.slice(0, 8)}${String(index + 1).padStart(2, '0')}`;
      return { day: index + 1, mark: marks.get(date) ?? 'none', isToday: date === today };
    }),
    counts,
  };
}
