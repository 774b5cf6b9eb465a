import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { classes } from '../../lib/classes';

const inputClasses = 'w-full rounded-xl border border-edge bg-surface px-4 text-ink placeholder:text-muted/70 aria-invalid:border-danger';

interface FieldProps {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
}

interface ControlProps {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

/** A label, what is typed into, and what is said about it: tied together for those who hear the page. */
function Labelled({
  label,
  hint,
  error,
  className,
  children,
}: FieldProps & { className?: string | undefined; children: (control: ControlProps) => ReactNode }) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
  return (
    <div className={classes('grid gap-1.5', className)}>
      <label htmlFor={id} className="text-[15px] font-medium">
        {label}
      </label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': describedBy })}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

type TextFieldProps = FieldProps &
  (({ isMultiline?: false } & ComponentProps<'input'>) | ({ isMultiline: true } & ComponentProps<'textarea'>));

/** One line of text, or several. */
export function TextField({ label, hint, error, className, ...rest }: TextFieldProps) {
  return (
    <Labelled label={label} hint={hint} error={error} className={className}>
      {(control) => {
        if (rest.isMultiline) {
          const { isMultiline: _, ...area } = rest;
          return <textarea rows={4} className={classes(inputClasses, 'py-3')} {...control} {...area} />;
        }
        const { isMultiline: _, ...line } = rest;
        return <input className={classes(inputClasses, 'h-12')} {...control} {...line} />;
      }}
    </Labelled>
  );
}

/** A password that its owner may look at while typing. */
export function PasswordField({ label, hint, error, className, ...rest }: FieldProps & Omit<ComponentProps<'input'>, 'type'>) {
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Labelled label={label} hint={hint} error={error} className={className}>
      {(control) => (
        <div className="relative">
          <input
            type={isShown ? 'text' : 'password'}
            className={classes(inputClasses, 'h-12 pr-12')}
            spellCheck={false}
            autoCapitalize="none"
            {...control}
            {...rest}
          />
          <button
            type="button"
            className="absolute inset-y-0 right-0 grid w-12 place-content-center rounded-xl text-muted hover:text-ink"
            aria-label={isShown ? 'Ocultar o que foi digitado' : 'Mostrar o que foi digitado'}
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
          >
            <Icon className="size-5" aria-hidden />
          </button>
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

/** One of several: large targets, real radio buttons. */
export function ChoiceField({
  legend,
  choices,
  value,
  onChange,
  error,
}: {
  legend: string;
  choices: readonly Choice[];
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}) {
  const id = useId();
  return (
    <fieldset className="grid gap-2" data-invalid={error ? '' : undefined} aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-2 text-[15px] font-medium">{legend}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className="flex min-h-12 cursor-pointer items-start gap-3 rounded-xl border border-edge sm:last:odd:col-span-2 bg-surface px-4 py-3 hover:bg-sunken has-checked:border-brand has-checked:bg-brand-soft has-focus-visible:outline-3 has-focus-visible:outline-brand"
          >
            <input
              type="radio"
              name={id}
              className="mt-1 size-4 shrink-0 accent-brand"
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            <span>
              <span className="block font-medium">{choice.label}</span>
              {choice.description && <span className="block text-sm text-muted">{choice.description}</span>}
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} role="alert" className="text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}
