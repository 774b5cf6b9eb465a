import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useId, useState } from 'react';
import { classes } from '../../lib/classes';

const control = 'w-full rounded-xl border border-line bg-surface px-4 text-ink placeholder:text-muted/70 aria-invalid:border-danger';

interface FieldProps {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
}

function Messages({ id, hint, error }: { id: string; hint?: string | undefined; error?: string | undefined }) {
  return (
    <>
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
    </>
  );
}

const describedBy = (id: string, hint?: string, error?: string) =>
  [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;

export function TextField({ label, hint, error, className, ...rest }: FieldProps & ComponentProps<'input'>) {
  const id = useId();
  return (
    <div className={classes('grid gap-1.5', className)}>
      <label htmlFor={id} className="text-[15px] font-medium">
        {label}
      </label>
      <input
        id={id}
        className={classes(control, 'h-12')}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, hint, error)}
        {...rest}
      />
      <Messages id={id} hint={hint} error={error} />
    </div>
  );
}

/** A password that its owner may look at while typing. */
export function PasswordField({ label, hint, error, className, ...rest }: FieldProps & Omit<ComponentProps<'input'>, 'type'>) {
  const id = useId();
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <div className={classes('grid gap-1.5', className)}>
      <label htmlFor={id} className="text-[15px] font-medium">
        {label}
      </label>
      <div className="relative">
        <input
          id={id}
          type={isShown ? 'text' : 'password'}
          className={classes(control, 'h-12 pr-12')}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, hint, error)}
          spellCheck={false}
          autoCapitalize="none"
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
      <Messages id={id} hint={hint} error={error} />
    </div>
  );
}

export function TextAreaField({ label, hint, error, className, ...rest }: FieldProps & ComponentProps<'textarea'>) {
  const id = useId();
  return (
    <div className={classes('grid gap-1.5', className)}>
      <label htmlFor={id} className="text-[15px] font-medium">
        {label}
      </label>
      <textarea
        id={id}
        rows={4}
        className={classes(control, 'py-3')}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, hint, error)}
        {...rest}
      />
      <Messages id={id} hint={hint} error={error} />
    </div>
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
    <fieldset className="grid gap-2" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-2 text-[15px] font-medium">{legend}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className="flex min-h-12 cursor-pointer items-start gap-3 rounded-xl border border-line bg-surface px-4 py-3 hover:bg-sunken has-checked:border-brand has-checked:bg-brand-soft has-focus-visible:outline-3 has-focus-visible:outline-brand"
          >
            <input
              type="radio"
              name={id}
              className="mt-1 size-4 accent-brand"
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
