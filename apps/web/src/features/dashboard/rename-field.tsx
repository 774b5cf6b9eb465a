import { type FormEvent, useRef, useState } from 'react';
import { useErrorToast } from '../../lib/use-error-toast';
import { renameTexts as texts } from './texts';

interface RenameFieldProps {
  name: string;
  /** Something that is shown before the name elsewhere and is no part of it: removed where it was typed. */
  prefix?: string | undefined;
  maxLength: number;
  /** Called at most once, with a trimmed name that is not empty. */
  onRename: (name: string) => void;
  onCancel: () => void;
}

/** Edits a name in place: Enter and leaving the field save, Escape cancels. */
export function RenameField({ name, prefix, maxLength, onRename, onCancel }: RenameFieldProps) {
  const [typed, setTyped] = useState(name);
  const failureToast = useErrorToast();
  const isFinished = useRef(false);
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isFinished.current) return;
    const trimmed = typed.trim();
    const next = prefix !== undefined && `${trimmed} `.startsWith(prefix) ? trimmed.slice(prefix.length).trim() : trimmed;
    if (next === '') {
      failureToast.show(texts.empty.title, { description: texts.empty.text });
      return;
    }
    isFinished.current = true;
    onRename(next);
  };
  return (
    <form className="my-2" onSubmit={save}>
      <input
        name="name"
        aria-label={texts.label}
        value={typed}
        onChange={(event) => {
          failureToast.clear();
          setTyped(event.target.value);
        }}
        maxLength={maxLength}
        autoFocus
        className="h-11 w-full rounded-lg border border-edge bg-surface px-3 font-semibold"
        onFocus={(event) => event.currentTarget.select()}
        onBlur={(event) => event.currentTarget.form?.requestSubmit()}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          isFinished.current = true;
          onCancel();
        }}
      />
    </form>
  );
}
