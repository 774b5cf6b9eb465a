import { type FormEvent, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '../../components/ui/button';
import { PasswordField, TextField } from '../../components/ui/field';
import { adviceFor, toastText } from '../../lib/auth-errors';
import { fieldText } from '../../lib/forms';
import { client } from '../../lib/runtime';
import { emailProblem, useFieldErrors } from '../../lib/use-field-errors';
import type { EmailProps } from './auth-page';

/** Email and password. Where the account has a second factor, its code is asked for next. */
export function SignInForm({ email, onEmail, onForgot }: EmailProps & { onForgot: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const { form, errors, accept, clear } = useFieldErrors<'email' | 'password'>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = fieldText(event.currentTarget, 'password');
    const address = email.trim();
    if (!accept({ email: emailProblem(address), password: password ? null : 'Digite sua senha.' })) return;
    setBusy(true);
    const { data, error } = await client().auth.signInWithPassword({ email: address, password });
    setBusy(false);
    if (error) {
      toast.error('Erro ao fazer login', { description: toastText(error) });
      accept({
        password:
          error.code === 'invalid_credentials' || error.message === 'Invalid login credentials'
            ? 'Confira o email e a senha, ou recupere a senha abaixo.'
            : adviceFor(error),
      });
    } else if (!data.user.factors?.some(({ status }) => status === 'verified')) {
      toast.success('Login realizado com sucesso!', { description: 'Redirecionando...' });
    }
  };
  return (
    <form ref={form} className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={email}
        error={errors.email}
        onChange={(event) => {
          onEmail(event.target.value);
          clear('email');
        }}
      />
      <PasswordField
        label="Senha"
        name="password"
        autoComplete="current-password"
        required
        error={errors.password}
        onChange={() => clear('password')}
      />
      <Button type="submit" size="wide" isBusy={isBusy}>
        Entrar
      </Button>
      <button type="button" className="min-h-11 text-[15px] font-medium text-brand underline-offset-4 hover:underline" onClick={onForgot}>
        Esqueci minha senha
      </button>
    </form>
  );
}
