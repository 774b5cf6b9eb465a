import { useId } from 'react';
import { FieldError } from '../../../components/ui/field';

interface CheckboxProps {
  label: string;
  hint?: string;
  error?: string | undefined;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

export function Checkbox({ label, hint, error, isChecked, onChange }: CheckboxProps) {
  const id = useId();
  return (
    <div>
      <label className="flex min-h-11 items-center gap-3 font-medium">
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-ink"
          checked={isChecked}
          aria-invalid={error ? true : undefined}
          aria-describedby={[error && `${id}-error`, hint && id].filter(Boolean).join(' ') || undefined}
          onChange={(event) => onChange(event.target.checked)}
        />
        {label}
      </label>
      {error && (
        <div className="mb-1 ml-8">
          <FieldError id={`${id}-error`}>{error}</FieldError>
        </div>
      )}
      {hint && (
        <p id={id} className="ml-8 text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
