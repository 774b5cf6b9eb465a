import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { toast } from 'sonner';
import { AccountName, type NewPasswordField, NewPasswordFields, newPasswordProblem } from '../../components/new-password-fields';
import { Button } from '../../components/ui/button';
import { PasswordField } from '../../components/ui/field';
import { refusalText } from '../../lib/auth-errors';
import { fieldText } from '../../lib/forms';
import { client } from '../../lib/runtime';
import { useFieldErrors } from '../../lib/use-field-errors';
import { accountKeys } from './account';

export function PasswordForm({ userId, email }: { userId: string; email: string }) {
  const queryClient = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const { form, errors, accept, clear } = useFieldErrors<'current' | NewPasswordField>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = event.currentTarget;
    const [current, password, confirmation] = (['current', 'password', 'confirmation'] as const).map((name) =>
      fieldText(element, name),
    ) as [string, string, string];
    const problem = newPasswordProblem(password, confirmation);
    if (problem) {
      accept(problem.errors);
      toast.error(problem.title, { description: problem.text });
      return;
    }
    accept({});
    setBusy(true);
    const { error } = await client().auth.updateUser({ password, ...(current ? { current_password: current } : {}) });
    setBusy(false);
    if (error) {
      toast.error('Erro ao atualizar senha', { description: refusalText(error) });
      accept(
        error.code?.startsWith('current_password')
          ? { current: 'Confira sua senha atual.' }
          : { password: 'Escolha outra senha e tente de novo.' },
      );
      return;
    }
    toast.success('Senha atualizada', { description: 'Encerramos suas outras sessões por segurança.' });
    element.reset();
    await queryClient.invalidateQueries({ queryKey: accountKeys.sessions(userId) });
    await queryClient.invalidateQueries({ queryKey: accountKeys.events(userId) });
  };
  return (
    <form ref={form} className="grid max-w-lg gap-4" noValidate onSubmit={(event) => void submit(event)}>
      <AccountName email={email} />
      <PasswordField
        label="Senha atual"
        name="current"
        autoComplete="current-password"
        hint="Conferimos quando você preenche."
        error={errors.current}
        onChange={() => clear('current')}
      />
      <NewPasswordFields errors={errors} onCorrect={clear} />
      <Button type="submit" variant="outline" isBusy={isBusy} className="justify-self-start">
        Alterar senha
      </Button>
    </form>
  );
}
