import { type FormEvent, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '../../components/ui/button';
import { PasswordField } from '../../components/ui/field';
import { refusalText } from '../../lib/auth-errors';
import { fieldText } from '../../lib/forms';
import { client } from '../../lib/runtime';
import { useFieldErrors } from '../../lib/use-field-errors';

/** Asked after the link of a recovery mail, before anything else. */
export function NewPasswordForm({ email, onDone }: { email: string; onDone: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const { form, errors, accept, clear } = useFieldErrors<'password' | 'confirmation'>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const [password, confirmation] = [fieldText(event.currentTarget, 'password'), fieldText(event.currentTarget, 'confirmation')];
    if (password.length < 6) {
      accept({ password: 'Use pelo menos 6 caracteres.' });
      toast.error('Senha muito curta', { description: 'A nova senha deve ter pelo menos 6 caracteres.' });
      return;
    }
    if (password !== confirmation) {
      accept({ confirmation: 'Digite a mesma senha nos dois campos.' });
      toast.error('Senhas não coincidem');
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
      {/* Password managers file the new password under this name. */}
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Nova senha"
        name="password"
        autoComplete="new-password"
        required
        hint="Pelo menos 6 caracteres."
        error={errors.password}
        onChange={() => clear('password')}
      />
      <PasswordField
        label="Confirmar nova senha"
        name="confirmation"
        autoComplete="new-password"
        required
        error={errors.confirmation}
        onChange={() => clear('confirmation')}
      />
      <Button type="submit" size="wide" isBusy={isBusy}>
        Salvar nova senha
      </Button>
      <Button variant="quiet" onClick={onDone}>
        Manter a senha atual
      </Button>
    </form>
  );
}
