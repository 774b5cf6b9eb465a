import type { CSSProperties } from 'react';
import { classes } from '../../lib/classes';

const mostInOneRow = 80;
const usualMostMarks = 160;

interface TicksProps {
  /** How many of `of` are reached; values below 0 count as 0, values above `of` as `of`. */
  value: number;
  of: number;
  /** Complete sentence for screen readers: "34 de 60 ações hoje". */
  label: string;
  /** `progress`: a value that grows until it reaches `of`. Default: `state`, a value at this moment. */
  kind?: 'state' | 'progress';
  /** Maximum number of marks. With a larger `of`, one mark represents several things. */
  mostMarks?: number;
  className?: string;
}

/**
 * A scale with one mark per thing that is counted. When `of` exceeds `mostMarks`, a mark represents several things, and a mark may be highlighted in part.
 * When the total is unknown, pass zero as `of`: no mark is highlighted.
 */
export function Ticks({ value, of, label, kind = 'state', mostMarks = usualMostMarks, className }: TicksProps) {
  const marks = of <= 0 ? 40 : Math.min(of, mostMarks);
  const lit = of <= 0 ? 0 : (Math.min(Math.max(value, 0), of) / of) * marks;
  const said =
    kind === 'progress'
      ? {
          role: 'progressbar',
          'aria-valuemin': 0,
          'aria-valuemax': Math.max(of, 0),
          'aria-valuenow': Math.min(Math.max(value, 0), Math.max(of, 0)),
          'aria-valuetext': label,
        }
      : { role: 'img' };
  return (
    <div
      {...said}
      aria-label={label}
      data-rows={marks > mostInOneRow ? 2 : 1}
      className={classes('ticks', className)}
      style={{ '--n': marks, '--v': lit } as CSSProperties}
    />
  );
}

/** Few marks, read one by one: actions of a run, slots. `isGoing`: the next one is on its way. The words beside them say the same. */
export function Marks({ value, of, isGoing = false, className }: { value: number; of: number; isGoing?: boolean; className?: string }) {
  return (
    <span className={classes('marks', className)} aria-hidden>
      {Array.from({ length: of }, (_, index) => (
        <i key={index} data-lit={index < value ? '' : undefined} data-now={isGoing && index === value ? '' : undefined} />
      ))}
    </span>
  );
}

export interface Tower {
  key: string;
  /** Under the tower: "seg". */
  name: string;
  value: number;
  /** The limit of that day; null when there is none. */
  limit: number | null;
  /** The whole sentence: "segunda, 14 de 25 ações". */
  label: string;
}

/** A tower for each day; a mark is an action. @param height of the highest tower, px */
export function Towers({ towers, height = 120, className }: { towers: readonly Tower[]; height?: number; className?: string }) {
  const most = Math.max(1, ...towers.map(({ value, limit }) => Math.max(value, limit ?? 0)));
  return (
    <ol className={classes('towers', className)} style={{ '--most': most, '--mark': `${height / most}px` } as CSSProperties}>
      {towers.map(({ key, name, value, limit, label }) => (
        <li key={key} aria-label={label}>
          <span className="limit" style={{ '--limit': limit ?? 0 } as CSSProperties} aria-hidden />
          <span className="lit-marks" style={{ '--v': value } as CSSProperties} aria-hidden />
          <span className="justify-self-center text-center text-xs whitespace-nowrap text-muted" aria-hidden>
            {name}
          </span>
        </li>
      ))}
    </ol>
  );
}
