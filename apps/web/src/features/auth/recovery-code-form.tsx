import { type FormEvent, useState } from 'react';
import { CodeField, codeIn, codeProblem } from '../../components/code-field';
import { Button } from '../../components/ui/button';
import { refusalText } from '../../lib/auth-errors';
import { keepRecovery } from '../../lib/mail-link';
import { client } from '../../lib/runtime';
import { emailProblem, useFieldErrors } from '../../lib/use-field-errors';
import { EmailField, type EmailProps } from './email-field';

/** The way in for whoever cannot use a mail's link, because a mail scanner followed it first: the code of the same mail. */
export function RecoveryCodeForm({ email, onEmail, onBack }: EmailProps & { onBack: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const { form, errors, accept, clear } = useFieldErrors<'email' | 'code'>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const address = email.trim();
    const code = codeIn(event.currentTarget);
    if (!accept({ email: emailProblem(address), code: codeProblem(code) })) return;
    setBusy(true);
    const { error } = await client().auth.verifyOtp({ email: address, token: code, type: 'recovery' });
    setBusy(false);
    // The page goes on to the new password; it is still owed after a reload.
    if (!error) keepRecovery();
    else accept({ code: error.code === 'otp_expired' ? 'Código incorreto ou vencido. Confira o email mais recente.' : refusalText(error) });
  };
  return (
    <form ref={form} className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
      <EmailField email={email} onEmail={onEmail} autoFocus={email === ''} error={errors.email} onCorrect={() => clear('email')} />
      <CodeField
        autoFocus={email !== ''}
        hint="Está no email de redefinição de senha, abaixo do botão."
        error={errors.code}
        onCorrect={() => clear('code')}
      />
      <Button type="submit" size="wide" isBusy={isBusy}>
        Continuar
      </Button>
      <Button variant="quiet" onClick={onBack}>
        Pedir outro email
      </Button>
    </form>
  );
}
