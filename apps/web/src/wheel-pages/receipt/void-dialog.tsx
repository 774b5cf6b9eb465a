import { useState } from 'react';
import { TextField } from '../../components/ui/field';
import { ConfirmDialog } from '../confirm-dialog';
import { voidTexts as texts } from './texts';

interface VoidDialogProps {
  handle: string;
  isBusy: boolean;
  onVoid: (reason: string, allowAgain: boolean) => void;
  onClose: () => void;
}

/** Asks why a prize is taken back, and whether its winner may spin again. */
export function VoidDialog({ handle, isBusy, onVoid, onClose }: VoidDialogProps) {
  const [reason, setReason] = useState('');
  const [allowAgain, setAllowAgain] = useState(false);
  const [problem, setProblem] = useState<string>();
  const confirm = () => {
    if (reason.trim() === '') setProblem(texts.reasonMissing);
    else onVoid(reason.trim(), allowAgain);
  };
  return (
    <ConfirmDialog title={texts.title} action={texts.confirm} isBusy={isBusy} onConfirm={confirm} onClose={onClose}>
      <p className="text-muted">{texts.text}</p>
      <TextField
        isMultiline
        label={texts.reason}
        hint={texts.reasonHint}
        error={problem}
        maxLength={500}
        value={reason}
        onChange={(event) => {
          setReason(event.target.value);
          setProblem(undefined);
        }}
      />
      <label className="flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-ink"
          checked={allowAgain}
          onChange={(event) => setAllowAgain(event.target.checked)}
        />
        <span>{texts.allowAgain(handle)}</span>
      </label>
    </ConfirmDialog>
  );
}
