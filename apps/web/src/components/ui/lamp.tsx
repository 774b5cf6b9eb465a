import type { ReactNode } from 'react';
import { classes } from '../../lib/classes';

/** `on`, `run` and `done` are green, `warn` is amber, `stop` is red, `off` is hollow. */
export type LampState = 'on' | 'run' | 'done' | 'warn' | 'stop' | 'off';

/** A state: a light, and always its word. */
export function Lamp({ state, className, children }: { state: LampState; className?: string; children: ReactNode }) {
  return (
    <span className={classes('lamp', className)} data-lamp={state}>
      <span className="light" aria-hidden />
      {children}
    </span>
  );
}
