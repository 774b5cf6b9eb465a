import type { ReactNode } from 'react';
import { classes } from '../../lib/classes';

interface GaugeProps {
  title: string;
  hint?: string;
  className?: string;
  children: ReactNode;
}

/** One part of a panel of numbers; a hairline divides it from the part before. */
export function Gauge({ title, hint, className, children }: GaugeProps) {
  return (
    <div
      className={classes(
        'min-w-0 border-line p-4 pb-5.5 not-first:border-t sm:px-6 lg:px-7 lg:py-6 lg:not-first:border-t-0 lg:not-first:border-l',
        className,
      )}
    >
      <div className="mb-3.5 flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 className="text-sm leading-6 font-semibold font-stretch-normal tracking-normal text-muted">{title}</h2>
        {hint && <span className="text-xs text-muted">{hint}</span>}
      </div>
      {children}
    </div>
  );
}
