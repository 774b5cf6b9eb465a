import { useValidatedForm } from '../../components/forms/use-validated-form';
import { Button } from '../../components/ui/button';
import { TextField } from '../../components/ui/field';
import { Notice } from '../../components/ui/surface';
import { client } from '../../lib/api-client';
import { refusalText } from '../../lib/auth-errors';
import { toast } from '../../lib/toast';
import { emailFormTexts as texts } from './texts';

const emailRules = {
  validate: (email: string) => (email.includes('@') ? undefined : texts.invalid.field),
};

/** `pending` is the new email that waits to be confirmed, if any. */
export function EmailForm({ current, pending }: { current: string; pending: string | undefined }) {
  const { field, handleSubmit, showError, failureToast, isSubmitting, reset } = useValidatedForm({ email: '' });
  const change = handleSubmit(
    async (values) => {
      const email = values.email.trim();
      const { error } = await client().auth.updateUser({ email }, { emailRedirectTo: `${window.location.origin}/minha-conta` });
      if (error) {
        failureToast.show(texts.failed.title, { description: refusalText(error) });
        showError('email', texts.failed.field);
        return;
      }
      toast.success(texts.changed.title, { description: texts.changed.text });
      reset();
    },
    () => failureToast.show(texts.invalid.title, { description: texts.invalid.text }),
  );
  return (
    <form className="grid gap-4" noValidate onSubmit={change}>
      <p>
        <span className="text-muted">{texts.current} </span>
        <span className="font-semibold">{current}</span>
      </p>
      {pending && (
        <Notice>
          {texts.pending.before} <span className="font-semibold break-all">{pending}</span>
          {texts.pending.after}
        </Notice>
      )}
      <TextField
        label={texts.email}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        required
        {...field('email', emailRules)}
      />
      <Button type="submit" variant="secondary" isBusy={isSubmitting} className="justify-self-start">
        {texts.change}
      </Button>
    </form>
  );
}
