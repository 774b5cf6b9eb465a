import type { CSSProperties } from 'react';

/** Height in px of the busiest hour, and of one mark at most. */
const heightPx = 56;
const markPx = 10;
/** Under the scale, every six hours. */
const axis = ['0h', '6h', '12h', '18h', '24h'];

interface DayScaleProps {
  /** How many in each hour from 0 to 23. */
  byHour: readonly number[];
  /** Whether nothing happens in an hour on purpose: it is drawn as a line. */
  isResting: (hour: number) => boolean;
  /** Complete sentence for screen readers: "48 de 60 ações, das 7h às 23h". */
  label: string;
}

/** The 24 hours of a day with a mark for each action. */
export function DayScale({ byHour, isResting, label }: DayScaleProps) {
  const most = Math.max(1, ...byHour);
  return (
    <div>
      <div
        role="img"
        aria-label={label}
        className="day-scale"
        style={{ '--most': most, '--mark': `${Math.min(markPx, heightPx / most)}px` } as CSSProperties}
      >
        {byHour.map((count, hour) => (
          <i key={hour} data-rests={isResting(hour) ? '' : undefined} style={{ '--v': count } as CSSProperties} />
        ))}
      </div>
      <div className="mt-2 flex justify-between text-xs text-muted" aria-hidden>
        {axis.map((hour) => (
          <span key={hour}>{hour}</span>
        ))}
      </div>
    </div>
  );
}
