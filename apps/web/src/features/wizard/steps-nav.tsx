import { Check } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { classes } from '../../lib/classes';

interface StepsNavProps {
  titles: readonly string[];
  /** From 1. */
  current: number;
  /** Steps that hold a problem. */
  failing: ReadonlySet<number>;
  onGo: (step: number) => void;
}

/** All steps, each one tap away; earlier ones show as done, those with a problem say so. */
export function StepsNav({ titles, current, failing, onGo }: StepsNavProps) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    // On a phone the strip is wider than the screen.
    const item = list.current?.children[current - 1];
    if (list.current && item instanceof HTMLElement) list.current.scrollLeft = item.offsetLeft - list.current.offsetLeft - 16;
  }, [current]);
  return (
    <nav aria-label="Passos">
      <ol ref={list} className="-m-1 flex gap-2 overflow-x-auto p-1 md:grid">
        {titles.map((title, index) => {
          const number = index + 1;
          const isDone = number < current && !failing.has(number);
          return (
            <li key={title} className="shrink-0">
              <button
                type="button"
                aria-current={number === current ? 'step' : undefined}
                onClick={() => onGo(number)}
                className={classes(
                  'relative flex min-h-12 w-full items-center gap-3 rounded-xl px-3 text-left whitespace-nowrap',
                  number === current ? 'bg-brand-soft font-semibold' : 'hover:bg-sunken',
                )}
              >
                <span
                  className={classes(
                    'grid size-7 shrink-0 place-content-center rounded-full text-sm font-semibold',
                    failing.has(number)
                      ? 'bg-danger text-canvas'
                      : isDone || number === current
                        ? 'bg-brand text-on-brand'
                        : 'bg-sunken text-muted',
                  )}
                >
                  {isDone ? <Check className="size-4" aria-label="Feito" /> : number}
                </span>
                {title}
                {failing.has(number) && <span className="sr-only">(falta algo)</span>}
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
