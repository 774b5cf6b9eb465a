import { formatCount } from '../../lib/format';
import { Gauge } from '../automation/gauge';
import type { Month } from './month';
import { monthTexts as texts } from './texts';

const counted = ['published', 'waiting', 'failed', 'due'] as const;

interface MonthGaugesProps {
  month: Month;
  /** Whether the articles have been read: what we do not know is no zero. */
  isKnown: boolean;
}

/** The month in four numbers, and day by day. */
export function MonthGauges({ month, isKnown }: MonthGaugesProps) {
  const { name, before, days, counts } = month;
  const capital = name.charAt(0).toUpperCase() + name.slice(1);
  return (
    <>
      <Gauge title={texts.figures(name)}>
        <dl className="grid grid-cols-2 gap-x-4 gap-y-5.5">
          {counted.map((kind) => (
            <div key={kind} className="grid content-start gap-1">
              <dt className="order-2 text-sm text-muted">{texts[kind]}</dt>
              <dd className="display text-[1.75rem] leading-none font-[620]">
                {isKnown || kind === 'due' ? formatCount(counts[kind]) : texts.unknown}
              </dd>
            </div>
          ))}
        </dl>
      </Gauge>
      <Gauge title={texts.days} hint={texts.hint}>
        <div role="img" aria-label={texts.spoken(capital, counts.published, counts.waiting, counts.failed, counts.due)} className="month">
          {texts.weekdays.map((day) => (
            <span key={day}>{day}</span>
          ))}
          {Array.from({ length: before }, (_, index) => (
            <span key={`before-${index}`} />
          ))}
          {days.map(({ day, mark, isToday }) => (
            <span key={day} data-mark={mark} data-today={isToday ? '' : undefined}>
              {day}
            </span>
          ))}
        </div>
        <p className="month-legend mt-3.5" aria-hidden>
          <span data-mark="published">{texts.legend.on}</span>
          <span data-mark="waiting">{texts.legend.wait}</span>
          <span data-mark="failed">{texts.legend.bad}</span>
          <span data-mark="due">{texts.legend.due}</span>
        </p>
      </Gauge>
    </>
  );
}
