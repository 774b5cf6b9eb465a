import { useState } from 'react';
import { FieldError } from '../../components/ui/field';
import { ConfirmDialog } from '../confirm-dialog';
import { eraseTexts as texts } from './texts';

interface EraseDialogProps {
  company: string | null;
  isBusy: boolean;
  onErase: () => void;
  onClose: () => void;
}

/** Says what erasing means before it is done. */
export function EraseDialog({ company, isBusy, onErase, onClose }: EraseDialogProps) {
  const [isUnderstood, setUnderstood] = useState(false);
  const [isMissing, setMissing] = useState(false);
  return (
    <ConfirmDialog
      title={texts.confirmTitle}
      action={texts.confirm}
      isBusy={isBusy}
      onConfirm={() => (isUnderstood ? onErase() : setMissing(true))}
      onClose={onClose}
    >
      <ul className="grid list-disc gap-2 pl-5 text-md text-muted">
        {texts.consequences(company).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <label className="flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-ink"
          checked={isUnderstood}
          aria-invalid={isMissing || undefined}
          aria-describedby={isMissing ? 'apagar-erro' : undefined}
          onChange={(event) => {
            setUnderstood(event.target.checked);
            setMissing(false);
          }}
        />
        <span>{texts.understood}</span>
      </label>
      {isMissing && <FieldError id="apagar-erro">{texts.understandFirst}</FieldError>}
    </ConfirmDialog>
  );
}
