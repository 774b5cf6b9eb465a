import { productTimeZone } from '@decola/contracts';
import { lazy, Suspense } from 'react';
import { Skeleton } from '../../components/ui/surface';
import { formatCount } from '../../lib/format';
import type { GrowthMetric, ValueOfDay } from './account-growth';
import { dayAfter, dayAt, daysBetween, fullDay, shortDay, weekdayOf } from './days';
import { growthTexts as texts } from './texts';
import { ValueTable } from './value-table';

const TrendChart = lazy(() => import('./trend-chart'));

const signed = (count: number) => `${count > 0 ? '+' : count < 0 ? '−' : ''}${formatCount(Math.abs(count))}`;

/** More days than this are named by a few dates under the line, fewer by their weekdays. */
const mostWeekdays = 7;
const datesBelow = 5;

interface GrowthTrendProps {
  /** Oldest first. */
  days: readonly ValueOfDay[];
  metric: GrowthMetric;
  /** The customer's. */
  timeZone?: string;
  now: Date;
  /** Height of the line. */
  className?: string;
}

/** One number of an account's profile: the newest value, the gain, and a line chart of the days. */
export function GrowthTrend({ days, metric, timeZone = productTimeZone, now, className = 'h-28' }: GrowthTrendProps) {
  const newest = days.at(-1);
  const oldest = days[0];
  if (!newest || !oldest) return <EmptyScale text={texts.none} />;
  const gained = newest.value - oldest.value;
  const span = daysBetween(oldest.day, newest.day);
  const today = dayAt(now, timeZone);
  const isShort = days.length <= mostWeekdays;
  const nameOf = (day: string) => (day === today ? texts.today : isShort ? weekdayOf(day) : shortDay(day));
  const below = isShort
    ? days.map(({ day }) => day)
    : Array.from({ length: datesBelow }, (_, index) => dayAfter(oldest.day, Math.round((span * index) / (datesBelow - 1))));
  return (
    <>
      <p className="mb-3 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="display text-[2.5rem] leading-none">{formatCount(newest.value)}</span>
        {span > 0 && (
          <span className={metric === 'followers' && gained > 0 ? 'text-md font-semibold text-success' : 'text-md text-muted'}>
            {texts.gain(signed(gained), span)}
          </span>
        )}
      </p>
      {span > 0 ? (
        <>
          <div className={className} aria-hidden>
            <Suspense fallback={<Skeleton className="h-full" />}>
              <TrendChart
                label={texts.metrics[metric]}
                points={days.map(({ day, value }, index) => ({
                  // Weekdays stand under the line at equal distances, dates at those of the calendar.
                  at: isShort ? index : daysBetween(oldest.day, day),
                  name: nameOf(day),
                  value,
                }))}
              />
            </Suspense>
          </div>
          <p className="@container mt-2.5 flex justify-between text-xs text-muted" aria-hidden>
            {below.map((day) => (
              <span key={day} className="not-first:not-last:@max-[14rem]:hidden">
                {nameOf(day)}
              </span>
            ))}
          </p>
          <ValueTable
            caption={texts.perDay[metric]}
            columns={[texts.day, texts.metrics[metric]]}
            rows={days.map(({ day, value }) => ({
              key: day,
              name: day === today ? texts.today : fullDay(day),
              values: [formatCount(value)],
            }))}
          />
        </>
      ) : (
        <EmptyScale text={texts.tomorrow} />
      )}
    </>
  );
}

/** Shown before there are any numbers: seven days without a line. */
export function EmptyScale({ text }: { text: string }) {
  return (
    <>
      <div className="grid h-28 grid-cols-7 border-b border-line" aria-hidden>
        {Array.from({ length: 7 }, (_, index) => (
          <span key={index} className="h-2 self-end justify-self-center border-l border-tick" />
        ))}
      </div>
      <p className="mt-2.5 text-sm text-muted">{text}</p>
    </>
  );
}
