import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../components/ui/button';
import { FieldError, TextField } from '../../components/ui/field';
import { SegmentField } from '../../components/ui/segments';
import { formatRelativeTime } from '../../lib/relative-time';
import { toast } from '../../lib/toast';
import { type InstagramAccount, useChangeAccount } from '../instagram-accounts/stopped-accounts';
import { ownPauseTexts as texts } from './texts';
import { instantOf, wallClockAt } from './time-zones';

type PauseLength = keyof typeof texts.lengths;
// Keys that look like numbers come first in an object, in their order.
const lengths = Object.keys(texts.lengths) as PauseLength[];
const hourMs = 3_600_000;

interface OwnPauseProps {
  userId: string;
  account: InstagramAccount;
  timeZone: string;
  onClose: () => void;
}

/** Asks for how long the customer wants to pause the account. */
export function OwnPause({ userId, account, timeZone, onClose }: OwnPauseProps) {
  const [length, setLength] = useState<PauseLength>('24');
  const [until, setUntil] = useState(() => wallClockAt(new Date(Date.now() + 24 * hourMs), timeZone));
  const [error, setError] = useState<string>();
  const change = useChangeAccount(userId);
  const form = useRef<HTMLFormElement>(null);
  // The button that opened the form is gone.
  useEffect(() => form.current?.querySelector<HTMLInputElement>('input:checked')?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const end = length === 'until' ? instantOf(until, timeZone) : new Date(Date.now() + Number(length) * hourMs);
    if (!end) return setError(texts.missing);
    change.mutate(
      { id: account.id, patch: { paused_until: end.toISOString() } },
      {
        onSuccess: () => {
          toast.success(texts.paused.title, {
            description: texts.paused.text(formatRelativeTime(end.toISOString(), new Date(), timeZone)),
          });
          onClose();
        },
        onError: (failure) => setError(failure.message || texts.failed),
      },
    );
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="grid grid-cols-1 gap-4">
      <p className="text-md text-muted">{texts.text}</p>
      <SegmentField
        legend={texts.legend}
        value={length}
        onChange={(value) => {
          setLength(value as PauseLength);
          setError(undefined);
        }}
        segments={lengths.map((value) => ({ value, label: texts.lengths[value] }))}
      />
      {length === 'until' ? (
        <TextField
          type="datetime-local"
          className="max-w-xs"
          label={texts.until}
          value={until}
          onChange={(event) => {
            setUntil(event.target.value);
            setError(undefined);
          }}
          error={error}
        />
      ) : (
        error && <FieldError id="pause-error">{error}</FieldError>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="ink" isBusy={change.isPending}>
          {texts.save}
        </Button>
        <Button variant="quiet" onClick={onClose} disabled={change.isPending}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  );
}
