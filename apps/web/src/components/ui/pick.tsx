import { useId } from 'react';

interface PickProps<Value extends string> {
  /** What is picked, for screen readers. */
  label: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** A choice of how to look at something, such as the period of a chart: native radio buttons in one quiet line. */
export function Pick<Value extends string>({ label, options, value, onChange }: PickProps<Value>) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className="flex flex-wrap gap-1">
      {options.map((option) => (
        <label
          key={option.value}
          className="inline-grid min-h-11 min-w-11 place-content-center rounded-[10px] px-2.5 text-sm font-medium text-muted transition-colors duration-150 hover:text-ink has-checked:bg-sunken has-checked:font-semibold has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
        >
          <input type="radio" name={name} className="sr-only" checked={option.value === value} onChange={() => onChange(option.value)} />
          {option.label}
        </label>
      ))}
    </div>
  );
}
