import type { ReactNode } from 'react';

/** One question of a step, separated from the previous one by a thin line. */
export function Region({ children }: { children: ReactNode }) {
  return <div className="grid min-w-0 grid-cols-1 gap-4 border-line not-first:border-t not-first:pt-7">{children}</div>;
}
