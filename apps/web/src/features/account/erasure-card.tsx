import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { toast } from 'sonner';
import { useSession } from '../../app/session';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';
import { PasswordField, TextField } from '../../components/ui/field';
import { refusalText } from '../../lib/auth-errors';
import { fieldText } from '../../lib/forms';
import { ApiError, callFunction } from '../../lib/runtime';
import { useFieldErrors } from '../../lib/use-field-errors';

const word = 'EXCLUIR';
const consequences = [
  'Sua assinatura é cancelada agora, e o acesso termina junto.',
  'Suas automações param na hora.',
  'Listas extraídas, roletas, artigos e sessões do Instagram são apagados.',
  'Não dá para desfazer, nem pelo suporte.',
];

/** The way out for good: consequences first, then the password and a typed word. */
export function ErasureCard({ email }: { email: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="grid gap-4">
      <p>Apaga sua conta e tudo o que guardamos sobre você. Se quiser uma cópia, baixe seus dados antes.</p>
      <Button variant="danger" className="justify-self-start" onClick={() => setOpen(true)}>
        Excluir minha conta
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Excluir sua conta para sempre?">
        <ErasureForm email={email} onCancel={() => setOpen(false)} />
      </Dialog>
    </div>
  );
}

function ErasureForm({ email, onCancel }: { email: string; onCancel: () => void }) {
  const { signOut } = useSession();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const { form, errors, accept, clear } = useFieldErrors<'word' | 'password'>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const [typed, password] = [fieldText(event.currentTarget, 'word').trim(), fieldText(event.currentTarget, 'password')];
    const isFilledIn = accept({
      word: typed.toUpperCase() === word ? null : `Digite ${word} para confirmar.`,
      password: password ? null : 'Digite sua senha.',
    });
    if (!isFilledIn) return;
    setBusy(true);
    try {
      const answer = await callFunction<{ success: boolean; error?: string }>('delete-account', { password });
      if (!answer.success) {
        accept({ password: answer.error ?? 'Não foi possível excluir sua conta. Tente novamente.' });
        return;
      }
      await signOut(2_000);
      toast.success('Sua conta foi excluída', { description: 'Obrigado por ter voado com a gente.' });
      void navigate('/', { replace: true });
    } catch (error) {
      const code = error instanceof ApiError ? (error.code ?? undefined) : undefined;
      const message = error instanceof ApiError ? error.message : '';
      toast.error('Erro ao excluir conta', {
        description: refusalText({
          message: message || 'Tente novamente em alguns instantes.',
          code,
          status: error instanceof ApiError ? (error.status ?? 0) : 0,
        }),
      });
    } finally {
      setBusy(false);
    }
  };
  return (
    <form ref={form} className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
      <ul className="grid list-disc gap-1.5 rounded-xl bg-danger-soft py-3 pr-4 pl-8 text-[15px] text-danger">
        {consequences.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      <TextField
        label={`Digite ${word} para confirmar`}
        name="word"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        required
        error={errors.word}
        onChange={() => clear('word')}
      />
      <PasswordField
        label="Sua senha"
        name="password"
        autoComplete="current-password"
        required
        error={errors.password}
        onChange={() => clear('password')}
      />
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button variant="outline" onClick={onCancel}>
          Cancelar
        </Button>
        <Button type="submit" variant="danger" isBusy={isBusy}>
          Excluir para sempre
        </Button>
      </div>
    </form>
  );
}
