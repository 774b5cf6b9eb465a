import { classes } from '../../lib/classes';

const quarters = 96;
const centre = 100;
/** Radii of the marks: those of full hours are longer. */
const [outer, innerOfHour, innerOfQuarter] = [96, 84, 88.5];

/** The point at a share of the day, 0 at the top, clockwise. */
const pointAt = (share: number, radius: number) => {
  const angle = share * 2 * Math.PI - Math.PI / 2;
  return `${(centre + radius * Math.cos(angle)).toFixed(1)} ${(centre + radius * Math.sin(angle)).toFixed(1)}`;
};

const markOf = (quarter: number) =>
  `M${pointAt(quarter / quarters, outer)}L${pointAt(quarter / quarters, quarter % 4 === 0 ? innerOfHour : innerOfQuarter)}`;

/** Minutes after midnight of `HH:MM`. */
const minutesOf = (time: string) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
};

interface DayClockProps {
  /** The hours without light, `HH:MM`. They may pass midnight. */
  from: string;
  to: string;
  /** The hand, `HH:MM`. */
  now: string;
  /** Complete sentence for screen readers: "Silêncio das 23:00 às 07:00; agora são 15:10". */
  label: string;
  className?: string;
}

/** The 24 hours of a day as a ring of marks, one for each quarter of an hour; those of the quiet hours are unlit. */
export function DayClock({ from, to, now, label, className }: DayClockProps) {
  const [begin, end] = [minutesOf(from), minutesOf(to)];
  const isQuiet = (minute: number) => (begin <= end ? minute >= begin && minute < end : minute >= begin || minute < end);
  const marks = Array.from({ length: quarters }, (_, quarter) => quarter);
  const path = (quiet: boolean) =>
    marks
      .filter((quarter) => isQuiet(quarter * 15) === quiet)
      .map(markOf)
      .join('');
  const hand = minutesOf(now) / (24 * 60);
  return (
    <svg viewBox="0 0 200 200" role="img" aria-label={label} className={classes('block', className)} fill="none" strokeWidth="2.6">
      <path d={path(true)} stroke="var(--tick)" />
      <path d={path(false)} stroke="var(--ink)" />
      <path d={`M${pointAt(hand, 77)}L${pointAt(hand, 54)}`} stroke="var(--ink)" strokeWidth="4" strokeLinecap="round" />
      <g fill="var(--muted)" fontSize="17" fontWeight="500" textAnchor="middle" dominantBaseline="central" aria-hidden>
        {['0h', '6h', '12h', '18h'].map((hour, index) => {
          const [x, y] = pointAt(index / 4, 62).split(' ');
          return (
            <text key={hour} x={x} y={y}>
              {hour}
            </text>
          );
        })}
      </g>
    </svg>
  );
}
