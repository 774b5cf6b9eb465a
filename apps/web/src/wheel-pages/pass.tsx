import type { ReactNode } from 'react';
import { classes } from '../lib/classes';

/** A prize as a boarding pass: what was won above the line, how to get it below. */
export function Pass({ top, className, children }: { top: ReactNode; className?: string; children: ReactNode }) {
  return (
    <div className={classes('pass', className)}>
      <div className="pass-top text-center">{top}</div>
      <div className="pass-foot">{children}</div>
    </div>
  );
}

/** Longer names are set smaller. */
const longName = 40;

/** @param typeName 'Prêmio físico' */
export function PrizeName({ name, typeName }: { name: string; typeName: string }) {
  return (
    <>
      <p className="pass-prize mt-2.5!" data-long={name.length > longName ? '' : undefined}>
        {name}
      </p>
      <p data-tool="wheel">
        <span className="inline-flex min-h-6 items-center rounded-md bg-tool-soft px-2 text-xs font-semibold whitespace-nowrap text-tool">
          {typeName}
        </span>
      </p>
    </>
  );
}

/** Facts, name left and value right; those without a value are left out. */
export function Facts({ facts, className }: { facts: readonly (readonly [name: string, value: ReactNode])[]; className?: string }) {
  return (
    <dl className={classes('grid gap-y-2 text-sm tabular-nums', className)}>
      {facts
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div key={name} className="flex flex-wrap gap-x-4">
            <dt className="text-muted wrap-anywhere">{name}</dt>
            {/* With large text on a phone the value goes below its name. */}
            <dd className="flex-[1_1_8rem] text-right font-[580] wrap-anywhere">{value}</dd>
          </div>
        ))}
    </dl>
  );
}
