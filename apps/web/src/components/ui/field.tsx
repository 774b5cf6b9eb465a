import { ChevronDown, Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { classes } from '../../lib/classes';
import { FieldError } from './field-error';
import { passwordFieldTexts as texts } from './texts';

export { FieldError };

const controlClasses =
  'w-full min-h-12 rounded-control bg-surface px-3.5 text-ink inset-ring inset-ring-edge transition-shadow duration-150 placeholder:text-muted hover:inset-ring-ink focus-visible:inset-ring-ink aria-invalid:inset-ring-[1.5px] aria-invalid:inset-ring-danger-lamp disabled:bg-sunken disabled:text-muted disabled:inset-ring-line';
// Lists count as read-only for browsers, so they do not get these.
const inputClasses = `${controlClasses} read-only:bg-sunken read-only:text-muted read-only:inset-ring-line`;

interface FieldProps {
  label: string;
  /** For rows of a table, whose columns have a heading: only screen readers get the label. */
  isLabelHidden?: boolean | undefined;
  hint?: string | undefined;
  error?: string | undefined;
}

interface ControlProps {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

/** A label, its control, a hint and an error, connected by ids for screen readers. */
export function Labelled({
  label,
  isLabelHidden = false,
  hint,
  error,
  className,
  children,
}: FieldProps & { className?: string | undefined; children: (control: ControlProps) => ReactNode }) {
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined;
  return (
    <div className={classes('grid min-w-0 content-start gap-2', className)}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-md font-semibold'}>
        {label}
      </label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': describedBy })}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

type TextFieldProps = FieldProps &
  (({ isMultiline?: false } & ComponentProps<'input'>) | ({ isMultiline: true } & ComponentProps<'textarea'>));

/** A single-line input, or a textarea with `isMultiline`. */
export function TextField({ label, isLabelHidden, hint, error, className, ...rest }: TextFieldProps) {
  return (
    <Labelled label={label} isLabelHidden={isLabelHidden} hint={hint} error={error} className={className}>
      {(control) => {
        if (rest.isMultiline) {
          const { isMultiline: _, ...area } = rest;
          return <textarea rows={4} className={classes(inputClasses, 'min-h-28 py-3')} {...control} {...area} />;
        }
        const { isMultiline: _, ...line } = rest;
        return <input className={inputClasses} {...control} {...line} />;
      }}
    </Labelled>
  );
}

/** A native list of options; `children` are its `option` and `optgroup` elements. */
export function SelectField({ label, isLabelHidden, hint, error, className, children, ...rest }: FieldProps & ComponentProps<'select'>) {
  return (
    <Labelled label={label} isLabelHidden={isLabelHidden} hint={hint} error={error} className={className}>
      {(control) => (
        <span className="relative block">
          <select className={classes(controlClasses, 'appearance-none truncate pr-11')} {...control} {...rest}>
            {children}
          </select>
          <ChevronDown className="pointer-events-none absolute inset-y-0 right-3.5 my-auto size-5 text-muted" aria-hidden />
        </span>
      )}
    </Labelled>
  );
}

/** Shows and hides a secret; stands at the end of its field. @param label what it does now */
export function RevealButton({ isShown, label, onToggle }: { isShown: boolean; label: string; onToggle: () => void }) {
  const Icon = isShown ? EyeOff : Eye;
  return (
    <button
      type="button"
      className="absolute inset-y-0 right-0 grid w-12 place-content-center rounded-control text-muted hover:text-ink"
      aria-label={label}
      aria-pressed={isShown}
      onClick={onToggle}
    >
      <Icon className="size-5" aria-hidden />
    </button>
  );
}

/** A password field with a button that shows what is typed. */
export function PasswordField({ label, hint, error, className, ...rest }: FieldProps & Omit<ComponentProps<'input'>, 'type'>) {
  const [isShown, setShown] = useState(false);
  return (
    <Labelled label={label} hint={hint} error={error} className={className}>
      {(control) => (
        <div className="relative">
          <input
            type={isShown ? 'text' : 'password'}
            className={classes(inputClasses, 'pr-12')}
            spellCheck={false}
            autoCapitalize="none"
            {...control}
            {...rest}
          />
          <RevealButton isShown={isShown} label={isShown ? texts.hide : texts.show} onToggle={() => setShown(!isShown)} />
        </div>
      )}
    </Labelled>
  );
}

export interface Choice {
  value: string;
  label: string;
  description?: string | undefined;
}

interface RadioGroupProps<Option extends { value: string }> {
  legend: string;
  options: readonly Option[];
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  /** Classes of the box around the options, of each option, and of its radio button. */
  look: { options: string; option: string; radio: string };
  /** What an option shows after its radio button. */
  children: (option: Option) => ReactNode;
}

/** Native radio buttons under a legend, with an error that screen readers connect to them. */
export function RadioGroup<Option extends { value: string }>(props: RadioGroupProps<Option>) {
  const { legend, options, value, onChange, error, look, children } = props;
  const id = useId();
  return (
    <fieldset className="grid gap-2" data-invalid={error ? '' : undefined} aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-2.5 text-md font-semibold">{legend}</legend>
      <div className={look.options}>
        {options.map((option) => (
          <label key={option.value} className={look.option}>
            <input type="radio" name={id} className={look.radio} checked={option.value === value} onChange={() => onChange(option.value)} />
            {children(option)}
          </label>
        ))}
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}

const choiceLook = {
  options: 'grid gap-2 sm:grid-cols-2',
  option:
    'flex min-h-14 items-center gap-3 rounded-tile px-4 py-3 inset-ring inset-ring-line transition-shadow duration-150 hover:inset-ring-edge has-checked:bg-raised has-checked:shadow-1 has-checked:inset-ring-[1.5px] has-checked:inset-ring-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus sm:last:odd:col-span-2',
  radio: 'size-5 shrink-0 accent-ink focus-visible:outline-none',
};

interface ChoiceFieldProps {
  legend: string;
  choices: readonly Choice[];
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}

/** A choice of one among several, as native radio buttons with large touch targets. */
export function ChoiceField({ choices, ...rest }: ChoiceFieldProps) {
  return (
    <RadioGroup options={choices} look={choiceLook} {...rest}>
      {({ label, description }) => (
        <span>
          <span className="block text-md font-semibold">{label}</span>
          {description && <span className="block text-sm text-muted">{description}</span>}
        </span>
      )}
    </RadioGroup>
  );
}
