import { type FormEvent, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '../../components/ui/button';
import { PasswordField, TextField } from '../../components/ui/field';
import { adviceFor, toastText } from '../../lib/auth-errors';
import { fieldText } from '../../lib/forms';
import { client } from '../../lib/runtime';
import { emailProblem, useFieldErrors } from '../../lib/use-field-errors';
import { EmailField, type EmailProps } from './email-field';
import { isStrong, PasswordChecklist } from './password-rules';

/** A new account. `onCreated` hears whether its email has to be confirmed before the first sign-in. */
export function SignUpForm({ email, onEmail, onCreated }: EmailProps & { onCreated: (mustConfirm: boolean) => void }) {
  const [password, setPassword] = useState('');
  const [isBusy, setBusy] = useState(false);
  const { form, errors, accept, clear } = useFieldErrors<'email' | 'password'>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fullName = fieldText(event.currentTarget, 'full_name').trim();
    const address = email.trim();
    if (!accept({ email: emailProblem(address) })) return;
    setBusy(true);
    const { data, error } = await client().auth.signUp({
      email: address,
      password,
      options: { emailRedirectTo: window.location.origin, data: { full_name: fullName } },
    });
    setBusy(false);
    if (error) {
      toast.error('Erro ao criar conta', { description: toastText(error) });
      const isTaken = error.code === 'user_already_exists' || error.message === 'User already registered';
      accept(
        error.code === 'weak_password'
          ? { password: adviceFor(error) }
          : { email: isTaken ? 'Já existe uma conta com este email. Entre com ela ou recupere a senha.' : adviceFor(error) },
      );
      return;
    }
    toast.success('Conta criada com sucesso!', { description: 'Você já pode fazer login.' });
    if (!data.session) onCreated(!data.user?.email_confirmed_at);
  };
  return (
    <form ref={form} className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
      <TextField label="Nome completo (opcional)" name="full_name" autoComplete="name" maxLength={200} />
      <EmailField email={email} onEmail={onEmail} error={errors.email} onCorrect={() => clear('email')} />
      <PasswordField
        label="Senha"
        name="password"
        autoComplete="new-password"
        required
        value={password}
        error={errors.password}
        onChange={(event) => {
          setPassword(event.target.value);
          clear('password');
        }}
      />
      <PasswordChecklist id="password-rules" password={password} />
      <Button type="submit" size="wide" isBusy={isBusy} disabled={!isStrong(password)} aria-describedby="password-rules">
        Criar conta
      </Button>
    </form>
  );
}
