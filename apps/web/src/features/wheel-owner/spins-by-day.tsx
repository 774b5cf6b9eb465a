import type { PrizeStats } from '@decola/contracts';
import { lazy, Suspense } from 'react';
import { Pick } from '../../components/ui/pick';
import { Skeleton } from '../../components/ui/surface';
import { Towers } from '../../components/ui/ticks';
import { formatCount } from '../../lib/format';
import { Gauge } from '../automation/gauge';
import { ValueTable } from '../instagram-accounts/value-table';
import { dayAndMonthOf, longDayOf, noonOf } from './moments';
import { type Period, periods } from './stats-query';
import { figureTexts as texts } from './texts';

const SpinsChart = lazy(() => import('./spins-chart'));

/** Height of a mark with the gap above it, px. Whole pixels, so that all marks look the same; on days of many spins, a mark stands for several. */
const markHeight = { least: 3, most: 11 };
const towerHeight = 242;

interface SpinsByDayProps {
  /** Oldest first, up to today. */
  days: PrizeStats['days'];
  period: Period;
  onPeriod: (period: Period) => void;
}

/** Spins by day: for two weeks a mark each, for longer a bar a day. A table has the same numbers and the views. */
export function SpinsByDay({ days, period, onPeriod }: SpinsByDayProps) {
  const shown = days.slice(-Number(period));
  const today = shown.at(-1)?.day;
  const most = Math.max(...shown.map(({ spins }) => spins), 1);
  const each = Math.ceil((most * markHeight.least) / towerHeight);
  const marks = Math.max(Math.ceil(most / each), Math.floor(towerHeight / markHeight.most));
  const mark = Math.min(markHeight.most, Math.floor(towerHeight / marks));
  const isTowers = period === '14';
  const nameOf = (day: string) => (day === today ? texts.now : longDayOf(noonOf(day)));
  return (
    <Gauge title={texts.perDay} {...(isTowers ? { hint: texts.mark(each) } : {})}>
      <div className="min-h-[17rem]">
        {isTowers ? (
          <Towers
            className="max-[479px]:[&_li:nth-child(odd)>span:last-child]:invisible"
            height={marks * mark}
            towers={shown.map(({ day, spins }) => ({
              key: day,
              name: day === today ? texts.now : String(Number(day.slice(8))),
              value: spins / each,
              limit: marks,
              label: texts.dayOf(nameOf(day), spins),
            }))}
          />
        ) : (
          <>
            <div className="h-62" aria-hidden>
              <Suspense fallback={<Skeleton className="h-full" />}>
                <SpinsChart days={shown.map(({ day, ...counts }) => ({ ...counts, name: nameOf(day) }))} names={texts.columns} />
              </Suspense>
            </div>
            <p className="mt-2 flex justify-between pl-8 text-xs text-muted" aria-hidden>
              <span>{shown[0] && dayAndMonthOf(noonOf(shown[0].day))}</span>
              <span>{texts.now}</span>
            </p>
          </>
        )}
      </div>
      <ValueTable
        caption={texts.perDay}
        columns={[texts.day, texts.columns.views, texts.columns.continued, texts.columns.spins]}
        rows={shown.map(({ day, views, continued, spins }) => ({
          key: day,
          name: nameOf(day),
          values: [views, continued, spins].map(formatCount),
        }))}
      />
      {shown.every(({ spins }) => spins === 0) && <p className="mt-2 text-sm text-muted">{texts.noneSince(shown.length)}</p>}
      <div className="mt-2 -ml-2.5">
        <Pick
          label={texts.period}
          options={periods.map((value) => ({ value, label: texts.periods[value] }))}
          value={period}
          onChange={onPeriod}
        />
      </div>
    </Gauge>
  );
}
