import { Check as CheckIcon, Minus, X } from 'lucide-react';
import { classes } from '../../lib/classes';
import type { Check } from './checks';

const icons = { ok: CheckIcon, bad: X, off: Minus };
const colours = { ok: 'text-success', bad: 'text-danger', off: 'text-muted' };

/** What was checked, one line each. Words and icons say the result, not colours alone. */
export function CheckList({ checks, className }: { checks: readonly Check[]; className?: string }) {
  return (
    <ul className={classes('grid content-start', className)}>
      {checks.map(({ result, title, text }) => {
        const Icon = icons[result];
        return (
          <li
            key={title}
            data-result={result}
            className="grid grid-cols-[22px_minmax(0,1fr)] gap-x-3 gap-y-0.5 py-3.5 not-first:shadow-[0_-1px_0_var(--line)]"
          >
            <Icon className={classes('mt-0.5 size-5', colours[result])} aria-hidden />
            <b className={classes('font-semibold wrap-anywhere', result !== 'ok' && colours[result])}>{title}</b>
            <span className="col-start-2 text-sm wrap-anywhere text-muted">{text}</span>
          </li>
        );
      })}
    </ul>
  );
}
