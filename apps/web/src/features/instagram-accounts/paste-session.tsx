import { cookieFormLabels, parseSessionCookies } from '@decola/contracts';
import { CheckCircle2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button } from '../../components/ui/button';
import { TextField } from '../../components/ui/field';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { accountNameOf } from './account-health';
import { type InstagramAccount, usePasteSession } from './stopped-accounts';
import { pasteSessionTexts as texts } from './texts';

interface PasteSessionProps {
  userId: string;
  /** Null to connect an account that the customer has not connected before. */
  account: InstagramAccount | null;
  /** Called after the session was stored, and when the customer cancels. */
  onClose: () => void;
  /** Called before `onClose` with the account's number on the network. */
  onStored?: (networkUserId: string) => void;
}

/** The field for a new session of one account, or of a new one. The pasted text is checked before it is sent, and stays in the field when sending fails. */
export function PasteSession({ userId, account, onClose, onStored }: PasteSessionProps) {
  const [pasted, setPasted] = useState('');
  const [isEmptyRefused, setEmptyRefused] = useState(false);
  const paste = usePasteSession(userId);
  const failureToast = useErrorToast();
  const name = accountNameOf(account?.username);
  const words = account ? texts.saved : texts.connected;
  const parsed = pasted.trim() === '' ? null : parseSessionCookies(pasted);
  const isOther = parsed?.ok === true && account !== null && parsed.networkUserId !== account.network_user_id;
  const error = !parsed
    ? isEmptyRefused
      ? texts.empty
      : undefined
    : !parsed.ok
      ? parsed.message
      : isOther
        ? texts.otherAccount(name)
        : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    failureToast.clear();
    setEmptyRefused(parsed === null);
    if (!parsed?.ok || isOther) return;
    paste.mutate(
      { cookies: pasted, networkUserId: parsed.networkUserId },
      {
        onSuccess: () => {
          toast.success(words.title, { description: words.text });
          onStored?.(parsed.networkUserId);
          onClose();
        },
        onError: (failure) => failureToast.show(texts.failed.title, { description: failure.message || texts.failed.text }),
      },
    );
  };
  return (
    <form onSubmit={submit} noValidate className="grid max-w-[70ch] gap-3 lg:col-span-2">
      <TextField
        isMultiline
        autoFocus
        label={texts.cookie}
        hint={account ? texts.hint(name) : texts.newHint}
        value={pasted}
        onChange={(event) => setPasted(event.target.value)}
        autoComplete="off"
        spellCheck={false}
        error={error}
      />
      {parsed?.ok && !isOther && (
        <p role="status" className="flex items-center gap-2 text-md font-medium text-success">
          <CheckCircle2 className="size-5 shrink-0" aria-hidden /> {texts.recognised(cookieFormLabels[parsed.form])}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="ink" isBusy={paste.isPending}>
          {account ? texts.save : texts.connect}
        </Button>
        <Button variant="quiet" onClick={onClose} disabled={paste.isPending}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  );
}
