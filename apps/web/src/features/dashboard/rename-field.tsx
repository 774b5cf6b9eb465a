import { type FormEvent, useRef } from 'react';
import { toast } from 'sonner';
import { fieldText } from '../../lib/forms';

interface RenameFieldProps {
  name: string;
  /** Called once, with a trimmed name that is not empty. */
  onRename: (name: string) => void;
  onCancel: () => void;
}

/** Enter or leaving the field saves, Escape does not. */
export function RenameField({ name, onRename, onCancel }: RenameFieldProps) {
  const isOver = useRef(false);
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isOver.current) return;
    const next = fieldText(event.currentTarget, 'name').trim();
    if (next === '') {
      toast.error('Nome inválido', { description: 'O nome da automação não pode estar vazio.' });
      return;
    }
    isOver.current = true;
    onRename(next);
  };
  return (
    <form onSubmit={save}>
      <input
        name="name"
        aria-label="Nome da automação"
        defaultValue={name}
        maxLength={200}
        autoFocus
        className="h-11 w-full rounded-lg border border-edge bg-surface px-3 font-semibold"
        onFocus={(event) => event.currentTarget.select()}
        onBlur={(event) => event.currentTarget.form?.requestSubmit()}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          isOver.current = true;
          onCancel();
        }}
      />
    </form>
  );
}
