import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { toast } from 'sonner';
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
  const { form, errors, accept, clear } = useFieldErrors<'current' | 'password' | 'confirmation'>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = event.currentTarget;
    const [current, password, confirmation] = (['current', 'password', 'confirmation'] as const).map((name) =>
      fieldText(element, name),
    ) as [string, string, string];
    if (!password || !confirmation) {
      accept({ password: password ? null : 'Digite a nova senha.', confirmation: confirmation ? null : 'Repita a nova senha.' });
      toast.error('Campos obrigatórios', { description: 'Preencha a nova senha e a confirmação.' });
      return;
    }
    if (password !== confirmation) {
      accept({ confirmation: 'Digite a mesma senha nos dois campos.' });
      toast.error('Senhas não coincidem', { description: 'A nova senha e a confirmação precisam ser iguais.' });
      return;
    }
    if (password.length < 6) {
      accept({ password: 'Use pelo menos 6 caracteres.' });
      toast.error('Senha muito curta', { description: 'A nova senha deve ter pelo menos 6 caracteres.' });
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
    <form ref={form} className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
      {/* Password managers file the new password under this name. */}
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Senha atual"
        name="current"
        autoComplete="current-password"
        hint="Conferimos quando você preenche."
        error={errors.current}
        onChange={() => clear('current')}
      />
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
      <Button type="submit" variant="outline" isBusy={isBusy} className="justify-self-start">
        Alterar senha
      </Button>
    </form>
  );
}
