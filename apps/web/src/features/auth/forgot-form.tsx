import { type FormEvent, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '../../components/ui/button';
import { Notice } from '../../components/ui/surface';
import { adviceFor, toastText } from '../../lib/auth-errors';
import { client } from '../../lib/runtime';
import { emailProblem, useFieldErrors } from '../../lib/use-field-errors';
import { EmailField, type EmailProps } from './email-field';
import { RecoveryCodeForm } from './recovery-code-form';

export function ForgotForm({ email, onEmail, onBack }: EmailProps & { onBack: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [hasCode, setHasCode] = useState(false);
  const { form, errors, accept, clear } = useFieldErrors<'email'>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const address = email.trim();
    if (!accept({ email: emailProblem(address) })) return;
    setBusy(true);
    const { error } = await client().auth.resetPasswordForEmail(address, { redirectTo: `${window.location.origin}/auth` });
    setBusy(false);
    if (error) {
      toast.error('Erro ao enviar email', { description: toastText(error) });
      accept({ email: adviceFor(error) });
      return;
    }
    toast.success('Email enviado com sucesso!', { description: 'Verifique sua caixa de entrada para redefinir sua senha.' });
    setSentTo(address);
  };
  if (hasCode) return <RecoveryCodeForm email={email} onEmail={onEmail} onBack={() => setHasCode(false)} />;
  return (
    <form ref={form} className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
      {sentTo && (
        <Notice tone="success">
          Se houver uma conta com {sentTo}, o link chega em instantes e vale por 1 hora. Não achou? Olhe também o spam.
        </Notice>
      )}
      <EmailField
        email={email}
        onEmail={onEmail}
        error={errors.email}
        hint="Enviaremos um link para você escolher uma nova senha."
        onCorrect={() => clear('email')}
      />
      <Button type="submit" size="wide" isBusy={isBusy}>
        {sentTo ? 'Enviar de novo' : 'Enviar link'}
      </Button>
      <Button variant="quiet" onClick={() => setHasCode(true)}>
        Já tenho um código
      </Button>
      <Button variant="quiet" onClick={onBack}>
        Voltar para entrar
      </Button>
    </form>
  );
}
