import { type FormEvent, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '../../components/ui/button';
import { PasswordField } from '../../components/ui/field';
import { adviceFor, toastText } from '../../lib/auth-errors';
import { fieldText } from '../../lib/forms';
import { client } from '../../lib/runtime';
import { emailProblem, useFieldErrors } from '../../lib/use-field-errors';
import { EmailField, type EmailProps } from './email-field';

/** Email and password. Where the account has a second factor, its code is asked for next. */
export function SignInForm({ email, onEmail, onForgot }: EmailProps & { onForgot: () => void }) {
  const [isBusy, setBusy] = useState(false);
  /** The address whose owner has still to open the link of the first mail. */
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null);
  const { form, errors, accept, clear } = useFieldErrors<'email' | 'password'>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = fieldText(event.currentTarget, 'password');
    const address = email.trim();
    if (!accept({ email: emailProblem(address), password: password ? null : 'Digite sua senha.' })) return;
    setBusy(true);
    const { data, error } = await client().auth.signInWithPassword({ email: address, password });
    setBusy(false);
    setUnconfirmed(error?.code === 'email_not_confirmed' ? address : null);
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
      <EmailField email={email} onEmail={onEmail} error={errors.email} onCorrect={() => clear('email')} />
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
      {unconfirmed && <ResendButton email={unconfirmed} />}
      <button type="button" className="min-h-11 text-[15px] font-medium text-brand underline-offset-4 hover:underline" onClick={onForgot}>
        Esqueci minha senha
      </button>
    </form>
  );
}

/** For who lost the mail that confirms a new account, or came too late for its link. */
function ResendButton({ email }: { email: string }) {
  const [isBusy, setBusy] = useState(false);
  const resend = async () => {
    setBusy(true);
    const { error } = await client().auth.resend({ type: 'signup', email, options: { emailRedirectTo: window.location.origin } });
    setBusy(false);
    if (error) toast.error('Erro ao enviar email', { description: toastText(error) });
    else toast.success('Email enviado com sucesso!', { description: `Abra o link que enviamos para ${email}.` });
  };
  return (
    <Button variant="outline" size="wide" isBusy={isBusy} onClick={() => void resend()}>
      Enviar o link de novo
    </Button>
  );
}
