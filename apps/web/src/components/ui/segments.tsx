import { type ReactNode, useId } from 'react';
import { classes } from '../../lib/classes';
import { FieldError } from './field-error';
import { RadioGroup } from './field';

interface SegmentFieldProps {
  legend: string;
  segments: readonly { value: string; label: ReactNode }[];
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}

const look = {
  options: 'grid auto-rows-fr grid-cols-[repeat(auto-fill,minmax(7.25rem,1fr))] gap-2',
  option:
    'relative grid min-h-14 cursor-pointer place-content-center rounded-control px-2.5 py-1.5 text-center text-md font-medium inset-ring inset-ring-line transition duration-150 hover:inset-ring-edge has-checked:bg-ink has-checked:text-canvas has-checked:inset-ring-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
  radio: 'absolute inset-0 size-full cursor-pointer opacity-0',
};

/** A choice of one among several short options: native radio buttons in a row. */
export function SegmentField({ segments, ...rest }: SegmentFieldProps) {
  return (
    <RadioGroup options={segments} look={look} {...rest}>
      {({ label }) => <span>{label}</span>}
    </RadioGroup>
  );
}

interface CheckSegmentsProps<Value extends string | number> {
  legend: string;
  /** `name`: the whole word, for screen readers, where the label is short. */
  segments: readonly { value: Value; label: string; name?: string }[];
  values: readonly Value[];
  onChange: (values: Value[]) => void;
  error?: string | undefined;
  /** `words`: labels of any length, each as wide as it needs. Default: `short`, all of one width. */
  look?: keyof typeof checkLooks;
}

const checkLooks = {
  short: { options: 'grid auto-rows-fr grid-cols-[repeat(auto-fit,minmax(3rem,1fr))] gap-1.5', option: 'px-0.5 text-sm' },
  words: { options: 'flex flex-wrap gap-1.5', option: 'min-h-11 max-w-full px-3.5 text-sm wrap-anywhere' },
};

/** A choice of several among short options, such as the days of a week: native checkboxes in a row. */
export function CheckSegments<Value extends string | number>({
  legend,
  segments,
  values,
  onChange,
  error,
  look: kind = 'short',
}: CheckSegmentsProps<Value>) {
  const id = useId();
  return (
    <fieldset data-invalid={error ? '' : undefined} aria-describedby={error ? `${id}-error` : undefined} className="grid min-w-0 gap-2">
      <legend className="mb-2.5 text-md font-semibold">{legend}</legend>
      <div className={checkLooks[kind].options}>
        {segments.map(({ value, label, name }) => (
          <label key={value} className={classes(look.option, checkLooks[kind].option)}>
            <input
              type="checkbox"
              className={look.radio}
              aria-label={name ?? label}
              checked={values.includes(value)}
              onChange={({ target }) =>
                onChange(segments.map((each) => each.value).filter((each) => (each === value ? target.checked : values.includes(each))))
              }
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}
