import { type FormEvent, useState } from 'react';
import { toast } from 'sonner';
import { AccountName, type NewPasswordField, NewPasswordFields, newPasswordProblem } from '../../components/new-password-fields';
import { Button } from '../../components/ui/button';
import { refusalText } from '../../lib/auth-errors';
import { fieldText } from '../../lib/forms';
import { client } from '../../lib/runtime';
import { useFieldErrors } from '../../lib/use-field-errors';

/** Asked after the link of a recovery mail, before anything else. */
export function NewPasswordForm({ email, onDone }: { email: string; onDone: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const { form, errors, accept, clear } = useFieldErrors<NewPasswordField>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const [password, confirmation] = [fieldText(event.currentTarget, 'password'), fieldText(event.currentTarget, 'confirmation')];
    const problem = newPasswordProblem(password, confirmation);
    if (problem) {
      accept(problem.errors);
      toast.error(problem.title, { description: problem.text });
      return;
    }
    accept({});
    setBusy(true);
    const { error } = await client().auth.updateUser({ password });
    setBusy(false);
    if (error) {
      toast.error('Erro ao atualizar senha', { description: refusalText(error) });
      accept({ password: 'Escolha outra senha e tente de novo.' });
      return;
    }
    toast.success('Senha atualizada');
    onDone();
  };
  return (
    <form ref={form} className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
      <AccountName email={email} />
      <NewPasswordFields errors={errors} onCorrect={clear} />
      <Button type="submit" size="wide" isBusy={isBusy}>
        Salvar nova senha
      </Button>
      <Button variant="quiet" onClick={onDone}>
        Manter a senha atual
      </Button>
    </form>
  );
}
