import { cookieFormLabels, parseSessionCookies } from '@decola/contracts';
import { CheckCircle2 } from 'lucide-react';
import { TextField } from '../../components/ui/field';
import { Notice } from '../../components/ui/surface';
import { ExportPicture, PastePicture, SignedInPicture } from './cookie-pictures';

const steps = [
  { Picture: SignedInPicture, text: 'No computador, entre no Instagram pelo navegador com a conta que vai usar.' },
  { Picture: ExportPicture, text: 'Abra uma extensão de cookies, como Cookie-Editor, e escolha Exportar.' },
  { Picture: PastePicture, text: 'Cole aqui o que foi copiado. Aceitamos seis formatos.' },
] as const;

interface CookieStepProps {
  value: string;
  onChange: (value: string) => void;
  /** `@conta` whose session is stored; an empty field keeps it. */
  storedFor: string | null;
  error: string | undefined;
}

export function CookieStep({ value, onChange, storedFor, error }: CookieStepProps) {
  const parsed = value.trim() === '' ? null : parseSessionCookies(value);
  return (
    <div className="@container grid gap-5">
      <ol className="grid gap-3 @xl:grid-cols-3">
        {steps.map(({ Picture, text }, index) => (
          <li
            key={text}
            className="grid grid-cols-[7.5rem_minmax(0,1fr)] items-center gap-3 rounded-xl bg-sunken p-3 text-[15px] @xl:grid-cols-1 @xl:content-start"
          >
            <Picture />
            <p>
              <span className="font-semibold">{index + 1}.</span> {text}
            </p>
          </li>
        ))}
      </ol>
      {storedFor && <Notice tone="success">Já temos uma sessão guardada para {storedFor}. Deixe vazio para continuar com ela.</Notice>}
      <TextField
        isMultiline
        label="Cookie do Instagram"
        hint="Guardamos a sessão cifrada e nunca a mostramos de novo. Nos primeiros dias a automação anda devagar, para proteger sua conta."
        value={value}
        onChange={(event) => onChange(event.target.value)}
        autoComplete="off"
        spellCheck={false}
        error={error ?? (parsed && !parsed.ok ? parsed.message : undefined)}
      />
      {parsed?.ok && (
        <p role="status" className="flex items-center gap-2 font-medium text-success">
          <CheckCircle2 className="size-5 shrink-0" aria-hidden /> Reconhecido: {cookieFormLabels[parsed.form]}. Conta nº{' '}
          {parsed.networkUserId}.
        </p>
      )}
    </div>
  );
}
