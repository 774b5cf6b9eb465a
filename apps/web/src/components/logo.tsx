import { classes } from '../lib/classes';
import { Mark } from './mark';

/** The logo with the product's name, for headers. Callers wrap it in a link, whose accessible name is the product's name. */
export function Logo({ name, className }: { name: string; className?: string }) {
  return (
    <span
      className={classes(
        'inline-flex min-h-11 items-center gap-2.5 text-xl leading-none font-[720] tracking-[-0.03em] max-[350px]:gap-2 max-[350px]:text-lg',
        className,
      )}
      style={{ fontStretch: 'var(--wide)' }}
    >
      <Mark /> {name}
    </span>
  );
}
