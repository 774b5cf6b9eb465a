import { useState } from 'react';
import { useValidatedForm } from '../../components/forms/use-validated-form';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';
import { TextField } from '../../components/ui/field';
import { type RedeemedPrize, useRedemption } from './redemption';
import { deskTexts, voidTexts as texts } from './texts';
import { refusalOf } from './wheel-function';

interface VoidDialogProps {
  isOpen: boolean;
  prize: RedeemedPrize;
  onClose: () => void;
  onVoided: (prize: RedeemedPrize) => void;
}

/** Takes a prize back: asks why, and whether the person may spin again. */
export function VoidDialog({ isOpen, prize, onClose, onVoided }: VoidDialogProps) {
  const [isSending, setSending] = useState(false);
  return (
    <Dialog isOpen={isOpen} onClose={() => !isSending && onClose()} title={texts.title} description={texts.text(prize.name, prize.handle)}>
      <VoidForm prize={prize} onClose={onClose} onVoided={onVoided} onSending={setSending} />
    </Dialog>
  );
}

function VoidForm({ prize, onClose, onVoided, onSending }: Omit<VoidDialogProps, 'isOpen'> & { onSending: (is: boolean) => void }) {
  const { field, handleSubmit, showError, isSubmitting } = useValidatedForm({ reason: '' });
  const [allowAgain, setAllowAgain] = useState(false);
  const redemption = useRedemption();
  const send = handleSubmit(async ({ reason }) => {
    onSending(true);
    try {
      const now = await redemption.mutateAsync({ code: prize.code, action: 'void', reason: reason.trim(), allowAgain });
      onClose();
      onVoided(now);
    } catch (failure) {
      showError('reason', refusalOf(failure) ?? deskTexts.failed);
    } finally {
      onSending(false);
    }
  });
  return (
    <form className="grid gap-4" noValidate onSubmit={send}>
      <TextField
        isMultiline
        label={texts.reason}
        hint={texts.reasonHint}
        maxLength={500}
        required
        {...field('reason', { validate: (reason) => (reason.trim() === '' ? texts.reasonMissing : undefined) })}
      />
      <label className="flex min-h-11 cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-ink"
          checked={allowAgain}
          onChange={(event) => setAllowAgain(event.target.checked)}
        />
        {texts.again}
      </label>
      <div className="grid gap-2 sm:flex sm:flex-row-reverse">
        <Button type="submit" variant="danger" isBusy={isSubmitting}>
          {texts.confirm}
        </Button>
        <Button variant="secondary" onClick={onClose} disabled={isSubmitting}>
          {texts.back}
        </Button>
      </div>
    </form>
  );
}
