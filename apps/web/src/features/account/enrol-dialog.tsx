import type { Factor } from '@supabase/supabase-js';
import { Check, Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { CodeField, codeRules, normaliseCode } from '../../components/forms/code-field';
import { useValidatedForm } from '../../components/forms/use-validated-form';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';
import { Failure, Notice, Skeleton } from '../../components/ui/surface';
import { client } from '../../lib/api-client';
import { refusalText } from '../../lib/auth-errors';
import { configuration } from '../../lib/configuration';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { useUser } from '../../session/session';
import { enrolmentTexts as texts } from './texts';

interface Enrolment {
  id: string;
  /** Data URL of the QR code. */
  picture: string;
  secret: string;
}

/** A default name that no other app of the person has. */
export function freeName(taken: readonly (string | undefined)[]): string {
  const base = texts.defaultName;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base} ${number}`;
    if (!taken.includes(name)) return name;
  }
}

/** @returns `unproven` when the person has not confirmed their email yet */
async function enrol(existing: readonly Factor[]): Promise<Enrolment | 'unproven'> {
  // Enrolments that were started and abandoned are never completed: remove them.
  for (const { id, status } of existing) if (status === 'unverified') await client().auth.mfa.unenroll({ factorId: id });
  const { data, error } = await client().auth.mfa.enroll({
    factorType: 'totp',
    friendlyName: freeName(existing.filter(({ status }) => status === 'verified').map(({ friendly_name: name }) => name)),
    issuer: configuration().productName,
  });
  if (error?.code === 'email_not_confirmed') return 'unproven';
  if (error) throw new Error(refusalText(error));
  // The client does not escape the SVG, and an unescaped `#` would end the data URL.
  const svg = data.totp.qr_code.replace(/^data:image\/svg\+xml;utf-8,/, '');
  return { id: data.id, picture: `data:image/svg+xml,${encodeURIComponent(svg)}`, secret: data.totp.secret };
}

/** Adds an authenticator app: scan the QR code or type the key, then confirm with a code. */
export function EnrolDialog({ existing, onClose }: { existing: readonly Factor[]; onClose: () => void }) {
  const [enrolment, setEnrolment] = useState<Enrolment | 'unproven' | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [tries, setTries] = useState(0);
  const started = useRef(-1);
  useEffect(() => {
    if (started.current === tries) return;
    started.current = tries;
    enrol(existing).then(setEnrolment, (error: Error) => setProblem(error.message));
  }, [existing, tries]);
  return (
    <Dialog isOpen onClose={onClose} title={texts.title} description={texts.description}>
      {problem ? (
        <Failure
          text={problem}
          onRetry={() => {
            setProblem(null);
            setTries((before) => before + 1);
          }}
        />
      ) : enrolment === 'unproven' ? (
        <VerifyMailbox />
      ) : enrolment ? (
        <EnrolmentForm enrolment={enrolment} onDone={onClose} />
      ) : (
        <div className="grid gap-4" role="status" aria-label={texts.loading}>
          <Skeleton className="mx-auto size-48" />
          <Skeleton className="h-12" />
        </div>
      )}
    </Dialog>
  );
}

/** Somebody else may have signed up with this email. Only the owner of the mailbox can open the recovery link, which ends earlier sessions and
 * replaces the password. */
function VerifyMailbox() {
  const [isBusy, setBusy] = useState(false);
  const [isSent, setSent] = useState(false);
  const failure = useErrorToast();
  const email = useUser()?.email ?? '';
  const send = async () => {
    failure.clear();
    setBusy(true);
    const { error } = await client().auth.resetPasswordForEmail(email, { redirectTo: `${window.location.origin}/auth` });
    setBusy(false);
    if (error) failure.show(texts.mailbox.failed, { description: refusalText(error) });
    else setSent(true);
  };
  return (
    <div className="grid gap-4">
      <p>{texts.mailbox.intro(email)}</p>
      <p className="text-md text-muted">{texts.mailbox.steps}</p>
      {isSent && <Notice tone="success">{texts.mailbox.sent(email)}</Notice>}
      <Button size="wide" isBusy={isBusy} onClick={() => void send()}>
        {isSent ? texts.mailbox.sendAgain : texts.mailbox.send}
      </Button>
    </div>
  );
}

function EnrolmentForm({ enrolment: { id, picture, secret }, onDone }: { enrolment: Enrolment; onDone: () => void }) {
  const { field, handleSubmit, showError, isSubmitting } = useValidatedForm({ code: '' });
  const activate = handleSubmit(async ({ code }) => {
    const { error } = await client().auth.mfa.challengeAndVerify({ factorId: id, code: normaliseCode(code) });
    if (error) {
      showError('code', refusalText(error));
      return;
    }
    toast.success(texts.activated.title, { description: texts.activated.text });
    onDone();
  });
  return (
    <form className="grid gap-5" noValidate onSubmit={activate}>
      <div className="grid justify-items-center gap-3">
        <p className="justify-self-start font-medium">{texts.scan}</p>
        <img src={picture} alt={texts.picture} className="size-48 rounded-lg bg-white p-2" />
        <details className="w-full justify-self-start text-md">
          <summary className="flex min-h-11 cursor-pointer items-center link">{texts.typeKey}</summary>
          <Secret secret={secret} />
        </details>
      </div>
      <CodeField label={texts.code} placeholder="000000" {...field('code', codeRules)} />
      <Button type="submit" size="wide" isBusy={isSubmitting}>
        {texts.activate}
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
      toast.error(texts.copyFailed.title, { description: texts.copyFailed.text });
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-control bg-sunken p-3">
      <code className="min-w-0 flex-1 font-sans break-words tabular-nums select-all" data-testid="totp-secret">
        {secret.match(/.{1,4}/g)?.join(' ')}
      </code>
      <Button variant="quiet" onClick={() => void copy()}>
        <Icon className="size-4" aria-hidden />
        {isCopied ? texts.copied : texts.copy}
      </Button>
    </div>
  );
}
