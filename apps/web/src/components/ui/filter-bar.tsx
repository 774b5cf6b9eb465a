import { Search } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { classes } from '../../lib/classes';

interface FilterButtonsProps<Value> {
  /** Spoken name of the group. */
  label: string;
  /** `content`: a name, and a `FilterCount`. */
  filters: readonly { value: Value; content: ReactNode }[];
  chosen: Value;
  onChoose: (value: Value) => void;
  className?: string;
}

/** How many rows a filter shows. */
export const FilterCount = ({ children }: { children: string }) => <span className="font-normal text-muted tabular-nums">{children}</span>;

/** The filters of a long list, each with how many rows it shows. */
export function FilterButtons<Value extends string | null>({ label, filters, chosen, onChoose, className }: FilterButtonsProps<Value>) {
  return (
    <div role="group" aria-label={label} className={classes('flex [scrollbar-width:none] gap-1 overflow-x-auto', className)}>
      {filters.map(({ value, content }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
          className="inline-flex min-h-11 shrink-0 items-center gap-2 rounded-control px-3.5 text-sm font-semibold whitespace-nowrap text-muted hover:bg-sunken hover:text-ink aria-pressed:bg-sunken aria-pressed:text-ink"
        >
          {content}
        </button>
      ))}
    </div>
  );
}

interface SearchInputProps {
  label: string;
  /** Default: the label. */
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
  ref?: RefObject<HTMLInputElement | null>;
  className?: string;
}

/** The search of a long list, whose label only screen readers need. */
export function SearchInput({ label, placeholder = label, value, onChange, ref, className }: SearchInputProps) {
  return (
    <div className={classes('relative', className)}>
      <Search className="pointer-events-none absolute top-3.5 left-3.5 size-5 text-muted" aria-hidden />
      <input
        ref={ref}
        type="search"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-label={label}
        placeholder={placeholder}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        className="min-h-12 w-full rounded-control bg-surface pr-3.5 pl-11 text-ink inset-ring inset-ring-edge transition-shadow duration-150 placeholder:text-muted hover:inset-ring-ink focus-visible:inset-ring-ink"
      />
    </div>
  );
}
