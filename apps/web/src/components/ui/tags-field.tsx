import { X } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react';
import { tagsFieldTexts as texts } from '../../lib/app-texts';
import { Labelled } from './field';

interface TagsFieldProps {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  values: readonly string[];
  onChange: (values: string[]) => void;
  /** Longest single value, in characters. */
  maxLength?: number;
}

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** The values with what was typed or pasted, split at commas; each value once, without regard to accents and case. */
export function withTags(values: readonly string[], typed: string): string[] {
  const all = [...values];
  for (const part of typed.split(/[,\n;]/)) {
    const text = part.replace(/\s+/g, ' ').trim();
    if (text !== '' && !all.some((each) => fold(each) === fold(text))) all.push(text);
  }
  return all;
}

/** Several short texts: what is typed becomes a chip with Enter, with a comma, and when the field is left. */
export function TagsField({ label, hint, error, values, onChange, maxLength }: TagsFieldProps) {
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const add = (text: string) => {
    setTyped('');
    const next = withTags(values, text);
    if (next.length !== values.length) onChange(next);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter' && typed.trim() !== '') {
      event.preventDefault();
      add(typed);
    } else if (event.key === 'Backspace' && typed === '' && values.length > 0) {
      onChange(values.slice(0, -1));
    }
  };
  // The browser would join the lines of a list.
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text/plain');
    if (!/[,\n;]/.test(text)) return;
    event.preventDefault();
    add(typed + text);
  };
  const remove = (value: string) => {
    onChange(values.filter((each) => each !== value));
    input.current?.focus();
  };
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(control) => (
        <div
          data-invalid={error ? '' : undefined}
          className="flex min-h-12 flex-wrap items-center gap-1.5 rounded-control bg-surface px-2 py-1.5 inset-ring inset-ring-edge transition-shadow duration-150 hover:inset-ring-ink focus-within:inset-ring-ink data-invalid:inset-ring-[1.5px] data-invalid:inset-ring-danger-lamp"
        >
          {values.map((value) => (
            <span key={value} className="inline-flex min-h-9 max-w-full items-center rounded-lg bg-sunken pl-3 text-sm font-medium">
              <span className="min-w-0 py-1 wrap-anywhere">{value}</span>
              <button
                type="button"
                aria-label={texts.remove(value)}
                className="relative grid size-9 shrink-0 place-content-center rounded-lg text-muted before:absolute before:-inset-1 hover:text-ink"
                onClick={() => remove(value)}
              >
                <X className="size-4" aria-hidden />
              </button>
            </span>
          ))}
          <input
            ref={input}
            type="text"
            autoComplete="off"
            maxLength={maxLength}
            className="min-h-9 min-w-0 flex-[1_1_8rem] bg-transparent px-1.5 outline-none"
            {...control}
            value={typed}
            onChange={({ target }) => (/[,\n;]/.test(target.value) ? add(target.value) : setTyped(target.value))}
            onKeyDown={press}
            onPaste={paste}
            onBlur={() => typed.trim() !== '' && add(typed)}
          />
        </div>
      )}
    </Labelled>
  );
}
