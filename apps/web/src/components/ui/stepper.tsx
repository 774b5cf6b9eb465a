import { Minus, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Labelled } from './field';

interface StepperProps {
  label: string;
  hint?: string;
  error?: string | undefined;
  /** As typed: a number, or the empty text. */
  value: string;
  onChange: (value: string) => void;
  min: number;
  max: number;
  /** The value from which the buttons count while the field is empty. */
  usual: number;
  names: { fewer: string; more: string };
  /** Shown next to the field: the same number as marks. */
  children?: ReactNode;
}

/** An input for a small number, with buttons that decrease and increase it. */
export function Stepper({ label, hint, error, value, onChange, min, max, usual, names, children }: StepperProps) {
  const typed = value === '' ? usual : Number(value);
  const step = (by: number) => onChange(String(Math.min(max, Math.max(min, Math.trunc(typed) + by))));
  const button =
    'grid h-12 place-content-center rounded-control text-muted hover:text-ink disabled:cursor-not-allowed disabled:text-muted disabled:opacity-40';
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(control) => (
        <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
          <span className="inline-grid grid-cols-[48px_56px_48px] items-center rounded-control bg-surface inset-ring inset-ring-edge has-aria-invalid:inset-ring-[1.5px] has-aria-invalid:inset-ring-danger-lamp">
            <button type="button" className={button} aria-label={names.fewer} disabled={typed <= min} onClick={() => step(-1)}>
              <Minus className="size-5" aria-hidden />
            </button>
            <input
              type="number"
              inputMode="numeric"
              min={min}
              max={max}
              value={value}
              placeholder={String(usual)}
              onChange={(event) => onChange(event.target.value)}
              {...control}
              className="min-h-12 w-full [appearance:textfield] rounded-control bg-transparent text-center text-lg font-semibold placeholder:text-muted [&::-webkit-inner-spin-button]:appearance-none [&::-webkit-outer-spin-button]:appearance-none"
            />
            <button type="button" className={button} aria-label={names.more} disabled={typed >= max} onClick={() => step(1)}>
              <Plus className="size-5" aria-hidden />
            </button>
          </span>
          {children}
        </div>
      )}
    </Labelled>
  );
}
