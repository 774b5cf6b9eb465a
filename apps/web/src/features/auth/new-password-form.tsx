import { AccountName, NewPasswordFields, newPasswordProblem, newPasswordRules } from '../../components/forms/new-password-fields';
import { SubmitButton } from '../../components/forms/submit-button';
import { useValidatedForm } from '../../components/forms/use-validated-form';
import { Button } from '../../components/ui/button';
import { client } from '../../lib/api-client';
import { refusalText } from '../../lib/auth-errors';
import { toast } from '../../lib/toast';
import { newPasswordFormTexts as texts } from './texts';

/** Asked after the link of a recovery mail, before anything else. */
export function NewPasswordForm({ email, onDone }: { email: string; onDone: () => void }) {
  const { field, handleSubmit, showError, failureToast, isSubmitting, getValues } = useValidatedForm({ password: '', confirmation: '' });
  const save = handleSubmit(
    async ({ password }) => {
      const { error } = await client().auth.updateUser({ password });
      if (error) {
        failureToast.show(texts.failed.title, { description: refusalText(error) });
        showError('password', texts.failed.field);
        return;
      }
      toast.success(texts.saved);
      onDone();
    },
    () => {
      const problem = newPasswordProblem(getValues());
      if (problem) failureToast.show(problem.title, { description: problem.text });
    },
  );
  return (
    <form method="post" className="grid gap-5" noValidate onSubmit={save}>
      <AccountName email={email} />
      <NewPasswordFields
        password={field('password', newPasswordRules.password)}
        confirmation={field('confirmation', newPasswordRules.confirmation)}
      />
      <SubmitButton isBusy={isSubmitting}>{texts.save}</SubmitButton>
      <Button variant="quiet" className="whitespace-normal" onClick={onDone}>
        {texts.keep}
      </Button>
    </form>
  );
}
