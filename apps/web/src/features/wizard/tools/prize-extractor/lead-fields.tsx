import { handleField, type LeadField } from '@decola/contracts';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { FieldError, TextField } from '../../../../components/ui/field';
import { Switch } from '../../../../components/ui/switch';
import { classes } from '../../../../lib/classes';
import type { FieldsProps } from '../tool-steps';
import { leadFieldsOf } from './prizes';
import { formTexts as texts } from './texts';

const labelLimit = 100;

const hints: Readonly<Record<string, string>> = { [handleField.name]: texts.onceEach, endereco: texts.addressHint };

/** Which fields the form has, what they are called, and which of them must be filled in. */
export function LeadFields({ configuration, onChange, problems }: FieldsProps) {
  const fields = leadFieldsOf(configuration);
  const change = (name: string, patch: Partial<LeadField>) =>
    onChange({ leadFields: fields.map((field) => (field.name === name ? { ...field, ...patch } : field)) });
  const problem = problems['leadFields'];
  return (
    <fieldset data-invalid={problem ? '' : undefined} aria-describedby={problem ? 'lead-fields-error' : undefined}>
      <legend className="sr-only">{texts.fields}</legend>
      <ul className="-mt-2">
        {fields.map((field) => (
          <LeadFieldRow key={field.name} field={field} onChange={(patch) => change(field.name, patch)} />
        ))}
      </ul>
      {problem && <FieldError id="lead-fields-error">{problem}</FieldError>}
      <p className="mt-2 text-sm text-muted">{texts.hint}</p>
    </fieldset>
  );
}

function LeadFieldRow({ field, onChange }: { field: LeadField; onChange: (patch: Partial<LeadField>) => void }) {
  const { name, label, enabled, required } = field;
  const [isRenaming, setRenaming] = useState(false);
  const [typed, setTyped] = useState(label);
  const isHandle = name === handleField.name;
  const hint = hints[name];
  const close = () => {
    setRenaming(false);
    const next = typed.trim();
    if (next !== '' && next !== label) onChange({ label: next });
  };
  return (
    <li className="grid min-h-16 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-line py-1.5 not-first:border-t">
      {isRenaming ? (
        <form
          className="py-1"
          onSubmit={(event) => {
            event.preventDefault();
            close();
          }}
        >
          <TextField
            label={texts.labelOf(label)}
            isLabelHidden
            autoFocus
            maxLength={labelLimit}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onBlur={close}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return;
              setTyped(label);
              setRenaming(false);
            }}
          />
        </form>
      ) : (
        <div className="flex min-w-0 items-center gap-1">
          <p className="min-w-0 [overflow-wrap:anywhere]">
            <span className={classes('block text-md', enabled ? 'font-semibold' : 'font-medium text-muted')}>{label}</span>
            {hint && <span className="block text-sm text-muted">{hint}</span>}
          </p>
          {enabled && !isHandle && (
            <Button
              variant="quiet"
              size="icon"
              className="shrink-0 text-muted hover:text-ink"
              aria-label={texts.rename(label)}
              title={texts.rename(label)}
              onClick={() => {
                setTyped(label);
                setRenaming(true);
              }}
            >
              <Pencil className="size-4" aria-hidden />
            </Button>
          )}
        </div>
      )}
      <div className="flex items-center gap-4">
        {isHandle && enabled && <span className="hidden text-sm text-muted min-[421px]:inline">{texts.always}</span>}
        {!isHandle && enabled && (
          <label className="flex min-h-11 items-center gap-2 text-sm">
            <input
              type="checkbox"
              className="size-5 shrink-0 accent-ink"
              aria-label={texts.requiredOf(label)}
              checked={required}
              onChange={(event) => onChange({ required: event.target.checked })}
            />
            <span className="max-[420px]:sr-only">{texts.required}</span>
            <span className="min-[421px]:hidden" aria-hidden>
              {texts.requiredShort}
            </span>
          </label>
        )}
        {/* Every wheel asks for the handle: visitors are told apart by it. */}
        <Switch
          label={label}
          isOn={enabled}
          disabled={isHandle && enabled}
          onChange={(isOn) => onChange(isHandle ? { enabled: isOn, required: true } : { enabled: isOn })}
        />
      </div>
    </li>
  );
}
