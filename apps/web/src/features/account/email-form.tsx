import { type FormEvent, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '../../components/ui/button';
import { TextField } from '../../components/ui/field';
import { Notice } from '../../components/ui/surface';
import { refusalText } from '../../lib/auth-errors';
import { fieldText } from '../../lib/forms';
import { client } from '../../lib/runtime';
import { useFieldErrors } from '../../lib/use-field-errors';

/** `pending` is the address that waits to be confirmed, if any. */
export function EmailForm({ current, pending }: { current: string; pending: string | undefined }) {
  const [isBusy, setBusy] = useState(false);
  const { form, errors, accept, clear } = useFieldErrors<'email'>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = event.currentTarget;
    const email = fieldText(element, 'email').trim();
    if (!email.includes('@')) {
      accept({ email: 'Digite o endereço completo, como nome@exemplo.com.' });
      toast.error('Email inválido', { description: 'Por favor, insira um email válido.' });
      return;
    }
    accept({});
    setBusy(true);
    const { error } = await client().auth.updateUser({ email }, { emailRedirectTo: `${window.location.origin}/minha-conta` });
    setBusy(false);
    if (error) {
      toast.error('Erro ao atualizar email', { description: refusalText(error) });
      accept({ email: 'Confira o endereço e tente de novo.' });
      return;
    }
    toast.success('Email atualizado', { description: 'Verifique o novo email para confirmar a mudança.' });
    element.reset();
  };
  return (
    <form ref={form} className="grid max-w-lg gap-4" noValidate onSubmit={(event) => void submit(event)}>
      <p>
        <span className="text-muted">Email atual: </span>
        <span className="font-medium">{current}</span>
      </p>
      {pending && (
        <Notice>
          Falta confirmar <span className="font-semibold break-all">{pending}</span>. Abra o link que enviamos para lá. Até isso, vale o
          email atual.
        </Notice>
      )}
      <TextField
        label="Novo email"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        required
        error={errors.email}
        onChange={() => clear('email')}
      />
      <Button type="submit" variant="outline" isBusy={isBusy} className="justify-self-start">
        Alterar email
      </Button>
    </form>
  );
}
