import type { Factor } from '@supabase/supabase-js';
import { Check, Copy } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { toast } from 'sonner';
import { CodeField, codeIn, codeProblem } from '../../components/code-field';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';
import { Failure, Skeleton } from '../../components/ui/surface';
import { refusalText } from '../../lib/auth-errors';
import { configuration } from '../../lib/configuration';
import { client } from '../../lib/runtime';
import { useFieldErrors } from '../../lib/use-field-errors';

interface Enrolment {
  id: string;
  /** Address of the picture to scan. */
  picture: string;
  secret: string;
}

/** A name that none of the person's apps has yet. */
export function freeName(taken: readonly (string | undefined)[]): string {
  const base = 'Aplicativo autenticador';
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base} ${number}`;
    if (!taken.includes(name)) return name;
  }
}

async function enrol(existing: readonly Factor[]): Promise<Enrolment> {
  // An enrolment that was begun and left is of no use any more.
  for (const { id, status } of existing) if (status === 'unverified') await client().auth.mfa.unenroll({ factorId: id });
  const { data, error } = await client().auth.mfa.enroll({
    factorType: 'totp',
    friendlyName: freeName(existing.filter(({ status }) => status === 'verified').map(({ friendly_name: name }) => name)),
    issuer: configuration().productName,
  });
  if (error) throw new Error(refusalText(error));
  // The client leaves the picture's own characters in the address, where `#` would end it.
  const svg = data.totp.qr_code.replace(/^data:image\/svg\+xml;utf-8,/, '');
  return { id: data.id, picture: `data:image/svg+xml,${encodeURIComponent(svg)}`, secret: data.totp.secret };
}

/** Leads through adding an authenticator app: scan, or type the key, then prove it with a code. */
export function EnrolDialog({ existing, onClose }: { existing: readonly Factor[]; onClose: () => void }) {
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [tries, setTries] = useState(0);
  const started = useRef(-1);
  useEffect(() => {
    if (started.current === tries) return;
    started.current = tries;
    enrol(existing).then(setEnrolment, (error: Error) => setProblem(error.message));
  }, [existing, tries]);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Verificação em duas etapas"
      description="Use um aplicativo autenticador, como o Google Authenticator ou o Authy."
    >
      {problem ? (
        <Failure
          text={problem}
          onRetry={() => {
            setProblem(null);
            setTries((before) => before + 1);
          }}
        />
      ) : enrolment ? (
        <Proof enrolment={enrolment} onDone={onClose} />
      ) : (
        <div className="grid gap-4" role="status" aria-label="Carregando...">
          <Skeleton className="mx-auto size-48" />
          <Skeleton className="h-12" />
        </div>
      )}
    </Dialog>
  );
}

function Proof({ enrolment: { id, picture, secret }, onDone }: { enrolment: Enrolment; onDone: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const { form, errors, accept, clear } = useFieldErrors<'code'>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = codeIn(event.currentTarget);
    if (!accept({ code: codeProblem(code) })) return;
    setBusy(true);
    const { error } = await client().auth.mfa.challengeAndVerify({ factorId: id, code });
    setBusy(false);
    if (error) {
      accept({ code: refusalText(error) });
      return;
    }
    toast.success('Verificação em duas etapas ativada', { description: 'Encerramos suas outras sessões por segurança.' });
    onDone();
  };
  return (
    <form ref={form} className="grid gap-5" noValidate onSubmit={(event) => void submit(event)}>
      <div className="grid justify-items-center gap-3">
        <p className="justify-self-start font-medium">1. Leia este código com o aplicativo</p>
        <img src={picture} alt="Código QR para o aplicativo autenticador" className="size-48 rounded-xl bg-white p-2" />
        <details className="w-full justify-self-start text-[15px]">
          <summary className="flex min-h-11 cursor-pointer items-center text-brand underline-offset-4 hover:underline">
            Não consegue ler? Digite a chave
          </summary>
          <Secret secret={secret} />
        </details>
      </div>
      <CodeField label="2. Digite o código que ele mostra" placeholder="000000" error={errors.code} onCorrect={() => clear('code')} />
      <Button type="submit" size="wide" isBusy={isBusy}>
        Ativar
      </Button>
    </form>
  );
}

function Secret({ secret }: { secret: string }) {
  const [isCopied, setCopied] = useState(false);
  const Icon = isCopied ? Check : Copy;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      setCopied(true);
    } catch {
      toast.error('Erro ao copiar', { description: 'Selecione a chave e copie.' });
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-xl bg-sunken p-3">
      <code className="min-w-0 flex-1 font-mono break-words select-all" data-testid="totp-secret">
        {secret.match(/.{1,4}/g)?.join(' ')}
      </code>
      <Button variant="quiet" onClick={() => void copy()}>
        <Icon className="size-4" aria-hidden />
        {isCopied ? 'Copiada' : 'Copiar'}
      </Button>
    </div>
  );
}
