import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../components/ui/button';
import { Failure, Skeleton } from '../../components/ui/surface';
import { classes } from '../../lib/classes';
import { useNow } from '../dashboard/use-now';
import { articlesBetweenQuery } from './articles';
import { automationsQuery } from './automations';
import {
  addMonths,
  boundsOf,
  type CalendarItem,
  countsOf,
  dayOf,
  daysInWeeksOf,
  foremostOf,
  itemsOf,
  type Month,
  monthOf,
} from './calendar';
import { ItemDialog } from './item-dialog';
import { costOf, runsBetweenQuery } from './runs';
import { calendarTexts as texts } from './texts';
import { topicsQuery } from './topics';

const monthName = new Intl.DateTimeFormat('pt-BR', { month: 'long', timeZone: 'UTC' });
const dayName = new Intl.DateTimeFormat('pt-BR', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });

/** "Novembro de 2026" */
function nameOf({ year, month }: Month): string {
  const name = monthName.format(Date.UTC(year, month, 15));
  return `${name[0]!.toUpperCase()}${name.slice(1)} de ${year}`;
}

interface CalendarTabProps {
  userId: string;
  /** Puts a keyword into the field of the first tab. */
  onKeyword: (keyword: string) => void;
}

/** A month of the blog: what was published, what waits, what failed, and what will be written. */
export function CalendarTab({ userId, onKeyword }: CalendarTabProps) {
  const [month, setMonth] = useState(() => monthOf(new Date()));
  const [openKey, setOpenKey] = useState<string | null>(null);
  const { items, topics, isPending, isError, retry } = useCalendar(userId, month);
  const tokens = items.reduce((sum, { run }) => sum + (run?.tokens ?? 0), 0);
  const cost = costOf(items.map(({ run }) => run));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] pb-2">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 min-[900px]:px-5 min-[900px]:py-4">
        <h3 className="mr-auto text-xl" aria-live="polite">
          {nameOf(month)}
        </h3>
        {!isPending && !isError && items.length > 0 && (
          <p className="text-sm text-muted max-[899px]:order-last max-[899px]:basis-full">
            {countsOf(items).map(({ state, count }, index) => (
              <span key={state}>
                {index > 0 && ' · '}
                <b className="font-semibold text-ink">{count}</b> {texts.counts[state](count)}
              </span>
            ))}
            {tokens > 0 && ` · ${texts.tokens(tokens)}`}
            {cost !== null && ` · ${texts.cost(cost)}`}
          </p>
        )}
        <span className="flex">
          <Button variant="quiet" size="icon" aria-label={texts.previous} onClick={() => setMonth(addMonths(month, -1))}>
            <ChevronLeft className="size-5" aria-hidden />
          </Button>
          <Button variant="quiet" size="icon" aria-label={texts.following} onClick={() => setMonth(addMonths(month, 1))}>
            <ChevronRight className="size-5" aria-hidden />
          </Button>
        </span>
      </header>
      {isPending ? (
        <Skeleton className="mx-4 h-96" />
      ) : isError ? (
        <div className="px-4 pb-3">
          <Failure text={texts.loadFailed} onRetry={retry} />
        </div>
      ) : (
        <MonthGrid month={month} items={items} onOpen={({ key }) => setOpenKey(key)} />
      )}
      <ItemDialog
        item={items.find(({ key }) => key === openKey) ?? null}
        topics={topics}
        onKeyword={onKeyword}
        onClose={() => setOpenKey(null)}
      />
    </div>
  );
}

/** What the server knows of a month. */
function useCalendar(userId: string, month: Month) {
  const now = useNow(60_000);
  const { from, to } = boundsOf(month);
  const articles = useQuery(articlesBetweenQuery(userId, from, to));
  const runs = useQuery(runsBetweenQuery(userId, from, to));
  const automations = useQuery(automationsQuery(userId));
  const topics = useQuery(topicsQuery(userId));
  const all = [articles, runs, automations, topics];
  const isPending = all.some((query) => query.isPending);
  const isError = all.some((query) => query.isError);
  const items =
    articles.data && runs.data && automations.data && topics.data
      ? itemsOf({
          month,
          articles: articles.data,
          runs: runs.data,
          automations: automations.data,
          topics: topics.data,
          now,
        })
      : [];
  return { items, topics: topics.data ?? [], isPending, isError, retry: () => void Promise.all(all.map((query) => query.refetch())) };
}

interface MonthGridProps {
  month: Month;
  items: readonly CalendarItem[];
  onOpen: (item: CalendarItem) => void;
}

/** A grid of weeks; on phones a list of the days that hold something. */
function MonthGrid({ month, items, onOpen }: MonthGridProps) {
  const today = dayOf(useNow(60_000));
  return (
    <>
      {items.length === 0 && <p className="px-4 py-6 text-md text-muted min-[900px]:hidden">{texts.empty}</p>}
      <ol aria-hidden className="grid grid-cols-7 text-xs font-semibold text-muted max-[899px]:hidden">
        {texts.weekdays.map((name) => (
          <li key={name} className="p-2">
            {name}
          </li>
        ))}
      </ol>
      <ol className="grid grid-cols-[minmax(0,1fr)] min-[900px]:grid-cols-7">
        {daysInWeeksOf(month).map((day, index) => {
          const own = items.filter((item) => item.day === day);
          return (
            <li
              key={day ?? `other-${index}`}
              aria-hidden={own.length === 0 || undefined}
              className={classes(
                'grid min-w-0 grid-cols-[40px_minmax(0,1fr)] content-start gap-1 border-t border-line px-4 py-2 text-sm min-[900px]:min-h-21 min-[900px]:grid-cols-1 min-[900px]:p-2 min-[900px]:text-xs min-[900px]:not-[:nth-child(7n+1)]:border-l',
                own.length === 0 && 'max-[899px]:hidden',
              )}
            >
              {day !== null && (
                <span className={classes('max-[899px]:pt-3', day === today ? 'font-bold text-ink' : 'text-muted')}>
                  <span aria-hidden>{Number(day.slice(-2))}</span>
                  <span className="sr-only">{dayName.format(Date.parse(day))}</span>
                  {day === today && <span className="sr-only">, {texts.today}</span>}
                </span>
              )}
              {day !== null && own.length > 0 && <DayItems name={dayName.format(Date.parse(day))} items={own} onOpen={onOpen} />}
            </li>
          );
        })}
      </ol>
    </>
  );
}

interface DayItemsProps {
  /** "domingo, 22 de novembro" */
  name: string;
  items: readonly CalendarItem[];
  onOpen: (item: CalendarItem) => void;
}

/** The entries of a day. Of a day with many only some are shown until the rest is asked for, so that the month stays a page. */
function DayItems({ name, items, onOpen }: DayItemsProps) {
  const [isWhole, setWhole] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const shown = isWhole ? items : foremostOf(items);
  const hidden = items.length - shown.length;
  const showAll = () => {
    const known = new Set(shown);
    const index = items.findIndex((item) => !known.has(item));
    setWhole(true);
    // The button that had the focus is gone.
    setTimeout(() => list.current?.children[index]?.querySelector('button')?.focus());
  };
  return (
    <ul ref={list} className="grid grid-cols-[minmax(0,1fr)]">
      {shown.map((item) => (
        <li key={item.key}>
          <ItemButton item={item} onOpen={() => onOpen(item)} />
        </li>
      ))}
      {hidden > 0 && (
        <li>
          <button
            type="button"
            aria-label={texts.moreOn(hidden, name)}
            className="min-h-11 w-full pl-[13px] text-left font-medium text-muted underline-offset-4 hover:underline min-[900px]:min-h-7"
            onClick={showAll}
          >
            {texts.more(hidden)}
          </button>
        </li>
      )}
    </ul>
  );
}

/** The mark of each state; its word is in the button's name. */
const marks: Record<CalendarItem['state'], string> = {
  published: 'bg-tool',
  running: 'bg-tool opacity-55',
  held: 'bg-warning-lamp',
  failed: 'bg-danger-lamp',
  skipped: 'inset-ring-[1.5px] inset-ring-edge',
  planned: 'inset-ring-[1.5px] inset-ring-edge',
};

function ItemButton({ item, onOpen }: { item: CalendarItem; onOpen: () => void }) {
  const { state, title } = item;
  const isQuiet = state === 'planned' || state === 'skipped';
  return (
    <button
      type="button"
      data-tool="blog"
      aria-label={texts.item(texts.states[state], title)}
      className={classes(
        'grid min-h-11 w-full grid-cols-[5px_minmax(0,1fr)] items-center gap-2 rounded-md text-left font-medium underline-offset-4 hover:underline min-[900px]:min-h-7 min-[900px]:items-start min-[900px]:py-0.5',
        isQuiet && 'text-muted',
      )}
      onClick={onOpen}
    >
      <span className={classes('h-[15px] w-[5px]', marks[state])} aria-hidden />
      <span className="line-clamp-2 wrap-anywhere">
        {state === 'held' || state === 'failed' ? texts.item(texts.states[state], title) : title}
      </span>
    </button>
  );
}
