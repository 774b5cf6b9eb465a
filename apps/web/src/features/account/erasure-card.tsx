import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { AccountName } from '../../components/forms/new-password-fields';
import { useValidatedForm } from '../../components/forms/use-validated-form';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';
import { PasswordField, TextField } from '../../components/ui/field';
import { ApiError, callFunction } from '../../lib/api-client';
import { refusalText } from '../../lib/auth-errors';
import { toast } from '../../lib/toast';
import { useSession } from '../../session/session';
import { erasureTexts as texts } from './texts';

/** Erases the account: shows the consequences, then asks for the password and a confirmation word. */
export function ErasureCard({ email }: { email: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="grid gap-4">
      <p className="text-muted">{texts.intro}</p>
      <Button
        variant="quiet"
        className="justify-self-start px-[18px] text-danger inset-ring-[1.5px] inset-ring-danger/45 hover:bg-danger-soft"
        onClick={() => setOpen(true)}
      >
        {texts.open}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={texts.title}>
        <ErasureForm email={email} onCancel={() => setOpen(false)} />
      </Dialog>
    </div>
  );
}

const rules = {
  word: { validate: (typed: string) => (typed.trim().toUpperCase() === texts.word ? undefined : texts.wordMissing(texts.word)) },
  password: { validate: (password: string) => (password ? undefined : texts.passwordMissing) },
};

function ErasureForm({ email, onCancel }: { email: string; onCancel: () => void }) {
  const { signOut } = useSession();
  const navigate = useNavigate();
  const { field, handleSubmit, showError, failureToast, isSubmitting } = useValidatedForm({ word: '', password: '' });
  const erase = handleSubmit(async ({ password }) => {
    try {
      const answer = await callFunction<{ success: boolean; error?: string }>('delete-account', { password });
      if (!answer.success) {
        showError('password', answer.error ?? texts.refused);
        return;
      }
      await signOut(2_000);
      toast.success(texts.erased.title, { description: texts.erased.text });
      void navigate('/', { replace: true });
    } catch (error) {
      const code = error instanceof ApiError ? (error.code ?? undefined) : undefined;
      const message = error instanceof ApiError ? error.message : '';
      failureToast.show(texts.failed.title, {
        description: refusalText({
          message: message || texts.failed.text,
          code,
          status: error instanceof ApiError ? (error.status ?? 0) : 0,
        }),
      });
    }
  });
  return (
    <form className="grid gap-4" noValidate onSubmit={erase}>
      <ul className="grid list-disc gap-1.5 pl-5 text-md text-muted">
        {texts.consequences.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <AccountName email={email} />
      <TextField
        label={texts.wordLabel(texts.word)}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        required
        {...field('word', rules.word)}
      />
      <PasswordField label={texts.password} autoComplete="current-password" required {...field('password', rules.password)} />
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button variant="quiet" onClick={onCancel}>
          {texts.cancel}
        </Button>
        <Button type="submit" variant="danger" isBusy={isSubmitting}>
          {texts.erase}
        </Button>
      </div>
    </form>
  );
}
