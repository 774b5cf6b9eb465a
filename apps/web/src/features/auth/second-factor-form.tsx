import type { Factor } from '@supabase/supabase-js';
import { type FormEvent, useState } from 'react';
import { toast } from 'sonner';
import { CodeField, codeIn, codeProblem } from '../../components/code-field';
import { Button } from '../../components/ui/button';
import { ChoiceField } from '../../components/ui/field';
import { refusalText } from '../../lib/auth-errors';
import { client } from '../../lib/runtime';
import { useFieldErrors } from '../../lib/use-field-errors';

/** The second step of a sign-in: the code that the person's authenticator app shows. */
export function SecondFactorForm({ factors, onOtherAccount }: { factors: readonly Factor[]; onOtherAccount: () => void }) {
  const apps = factors.filter(({ status, factor_type: type }) => status === 'verified' && type === 'totp');
  const [factorId, setFactorId] = useState(apps[0]?.id ?? '');
  const [isBusy, setBusy] = useState(false);
  const { form, errors, accept, clear } = useFieldErrors<'code'>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = codeIn(event.currentTarget);
    if (!accept({ code: codeProblem(code) })) return;
    setBusy(true);
    const { error } = await client().auth.mfa.challengeAndVerify({ factorId, code });
    setBusy(false);
    if (error) accept({ code: refusalText(error) });
    else toast.success('Login realizado com sucesso!', { description: 'Redirecionando...' });
  };
  return (
    <form ref={form} className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
      {apps.length > 1 && (
        <ChoiceField
          legend="Qual aplicativo?"
          choices={apps.map(({ id, friendly_name: name }, index) => ({ value: id, label: name || `Aplicativo ${index + 1}` }))}
          value={factorId}
          onChange={setFactorId}
        />
      )}
      <CodeField
        autoFocus
        hint="Abra seu aplicativo autenticador e digite o código do momento."
        error={errors.code}
        onCorrect={() => clear('code')}
      />
      <Button type="submit" size="wide" isBusy={isBusy}>
        Confirmar
      </Button>
      <Button variant="quiet" onClick={onOtherAccount}>
        Entrar com outra conta
      </Button>
    </form>
  );
}
