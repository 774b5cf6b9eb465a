import { useQueryClient } from '@tanstack/react-query';
import { AccountName, NewPasswordFields, newPasswordProblem, newPasswordRules } from '../../components/forms/new-password-fields';
import { useValidatedForm } from '../../components/forms/use-validated-form';
import { Button } from '../../components/ui/button';
import { PasswordField } from '../../components/ui/field';
import { client } from '../../lib/api-client';
import { refusalText } from '../../lib/auth-errors';
import { toast } from '../../lib/toast';
import { accountKeys } from './account-queries';
import { passwordFormTexts as texts } from './texts';

export function PasswordForm({ userId, email }: { userId: string; email: string }) {
  const queryClient = useQueryClient();
  const { field, handleSubmit, showError, failureToast, isSubmitting, getValues, reset } = useValidatedForm({
    current: '',
    password: '',
    confirmation: '',
  });
  const change = handleSubmit(
    async ({ current, password }) => {
      const { error } = await client().auth.updateUser({ password, ...(current ? { current_password: current } : {}) });
      if (error) {
        failureToast.show(texts.failed.title, { description: refusalText(error) });
        if (error.code?.startsWith('current_password')) showError('current', texts.failed.current);
        else showError('password', texts.failed.password);
        return;
      }
      toast.success(texts.changed.title, { description: texts.changed.text });
      reset();
      void queryClient.invalidateQueries({ queryKey: accountKeys.sessions(userId) });
      void queryClient.invalidateQueries({ queryKey: accountKeys.events(userId) });
    },
    () => {
      const problem = newPasswordProblem(getValues());
      if (problem) failureToast.show(problem.title, { description: problem.text });
    },
  );
  return (
    <form className="grid gap-4" noValidate onSubmit={change}>
      <AccountName email={email} />
      <PasswordField label={texts.current} autoComplete="current-password" hint={texts.currentHint} {...field('current')} />
      <NewPasswordFields
        password={field('password', newPasswordRules.password)}
        confirmation={field('confirmation', newPasswordRules.confirmation)}
      />
      <Button type="submit" variant="secondary" isBusy={isSubmitting} className="justify-self-start">
        {texts.change}
      </Button>
    </form>
  );
}
