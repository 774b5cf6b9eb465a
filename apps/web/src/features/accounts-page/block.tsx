import { type ReactNode, useId } from 'react';
import { classes } from '../../lib/classes';

interface BlockProps {
  title: string;
  /** Stands opposite the title. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** One subject of an account, in the panel of the account. */
export function Block({ title, aside, className, children }: BlockProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={classes('grid min-w-0 grid-cols-1 content-start gap-4 border-t border-line px-4 py-5 sm:px-6 lg:px-7 lg:py-6', className)}
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
        <h3 id={id} className="text-lg">
          {title}
        </h3>
        {typeof aside === 'string' ? <span className="text-sm text-muted">{aside}</span> : aside}
      </div>
      {children}
    </section>
  );
}

/** Two blocks side by side where there is room. */
export function Pair({ children }: { children: ReactNode }) {
  return <div className="grid grid-cols-1 md:grid-cols-2 md:*:last:border-l">{children}</div>;
}
