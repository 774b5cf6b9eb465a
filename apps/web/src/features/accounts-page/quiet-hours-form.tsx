import { defaultQuietHours } from '@decola/contracts';
import { type FormEvent, useId, useRef, useState } from 'react';
import { Button } from '../../components/ui/button';
import { DayClock } from '../../components/ui/day-clock';
import { FieldError, TextField } from '../../components/ui/field';
import { toast } from '../../lib/toast';
import { browserLocale } from '../../session/report-locale';
import { type InstagramAccount, useChangeAccount } from '../instagram-accounts/stopped-accounts';
import { type ProfileZone, useChooseTimeZone } from './chosen-time-zone';
import { quietTexts as texts, timeZoneTexts } from './texts';
import { automaticZone, TimeZoneField } from './time-zone-field';
import { wallTimeAt, wallTimeOf } from './time-zones';

interface QuietHoursFormProps {
  userId: string;
  account: InstagramAccount;
  zone: ProfileZone;
  timeZone: string;
  now: Date;
  /** Called after everything was stored, and when the customer cancels. */
  onClose: () => void;
}

const isTime = (text: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);

/** Minutes from one wall time to the next other. */
function minutesBetween(from: string, to: string): number {
  const [start = 0, end = 0] = [from, to].map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)));
  return (end - start + 24 * 60) % (24 * 60);
}

/** Both ends of the quiet hours and the time zone. The server decides what is safe; its refusal stands at the field. */
export function QuietHoursForm({ userId, account, zone, timeZone, now, onClose }: QuietHoursFormProps) {
  const usual = defaultQuietHours;
  const errorId = useId();
  const hintId = useId();
  const first = useRef<HTMLInputElement>(null);
  const [from, setFrom] = useState(account.quiet_from ?? usual.from);
  const [to, setTo] = useState(account.quiet_to ?? usual.to);
  const storedChoice = zone.time_zone_chosen ? timeZone : automaticZone;
  const [chosenZone, setChosenZone] = useState(storedChoice);
  const [error, setError] = useState<string>();
  const [zoneError, setZoneError] = useState<string>();
  const change = useChangeAccount(userId);
  const choose = useChooseTimeZone(userId);
  const browserZone = browserLocale().time_zone ?? timeZone;
  const wantedZone = chosenZone === automaticZone ? browserZone : chosenZone;
  const isBusy = change.isPending || choose.isPending;

  const storeZone = async (): Promise<boolean> => {
    if (chosenZone === storedChoice) return true;
    try {
      await choose.mutateAsync({ time_zone: wantedZone, time_zone_chosen: chosenZone !== automaticZone });
      return true;
    } catch (failure) {
      setZoneError((failure as Error).message || timeZoneTexts.failed);
      return false;
    }
  };
  const storeHours = async (hours: { quiet_from: string | null; quiet_to: string | null }): Promise<boolean> => {
    if (hours.quiet_from === account.quiet_from && hours.quiet_to === account.quiet_to) return true;
    try {
      await change.mutateAsync({ id: account.id, patch: hours });
      return true;
    } catch (failure) {
      setError((failure as Error).message || texts.failed);
      first.current?.focus();
      return false;
    }
  };
  const typed = { from: wallTimeOf(from), to: wallTimeOf(to) };
  const save = async (isUsual: boolean) => {
    setError(undefined);
    setZoneError(undefined);
    const isUntouched = account.quiet_from === null && typed.from === usual.from && typed.to === usual.to;
    const hours = isUsual || isUntouched ? { quiet_from: null, quiet_to: null } : { quiet_from: typed.from, quiet_to: typed.to };
    if (!(await storeHours(hours)) || !(await storeZone())) return;
    toast.success(texts.saved);
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save(false);
  };
  const areTimes = isTime(typed.from) && isTime(typed.to);
  const minutes = areTimes ? minutesBetween(typed.from, typed.to) : 0;
  const time = wallTimeAt(now, chosenZone === storedChoice ? timeZone : wantedZone);
  const end = (label: string, value: string, onChange: (value: string) => void, isFirst: boolean) => (
    <TextField
      label={label}
      value={value}
      inputMode="numeric"
      autoComplete="off"
      placeholder={isFirst ? usual.from : usual.to}
      onBlur={() => onChange(wallTimeOf(value))}
      ref={isFirst ? first : undefined}
      autoFocus={isFirst}
      onChange={(event) => {
        onChange(event.target.value);
        setError(undefined);
      }}
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? `${errorId} ${hintId}` : hintId}
    />
  );
  return (
    <form onSubmit={submit} noValidate className="grid grid-cols-1 gap-4">
      <div className="grid grid-cols-[minmax(0,1fr)_5rem] items-end gap-4">
        <div className="grid grid-cols-2 gap-3">
          {end(texts.from, from, setFrom, true)}
          {end(texts.to, to, setTo, false)}
        </div>
        {areTimes && <DayClock {...typed} now={time} label={texts.spoken(typed.from, typed.to, time)} />}
      </div>
      {error && <FieldError id={errorId}>{error}</FieldError>}
      <p id={hintId} className="-mt-2 text-sm text-muted">
        {areTimes ? texts.length(Math.floor(minutes / 60), minutes % 60) : texts.minimum}
      </p>
      <TimeZoneField
        value={chosenZone}
        onChange={(value) => {
          setChosenZone(value);
          setZoneError(undefined);
        }}
        browserZone={browserZone}
        error={zoneError}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="ink" isBusy={isBusy}>
          {texts.save}
        </Button>
        {account.quiet_from !== null && (
          <Button variant="secondary" className="py-1 whitespace-normal" disabled={isBusy} onClick={() => void save(true)}>
            {texts.useUsual(usual.from, usual.to)}
          </Button>
        )}
        <Button variant="quiet" onClick={onClose} disabled={isBusy}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  );
}
