import { cookieFormLabels, cookieForms, parseSessionCookies } from '@decola/contracts';
import { CheckCircle2, ChevronDown } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../components/ui/button';
import { TextField } from '../../components/ui/field';
import { Notice, Skeleton } from '../../components/ui/surface';
import { toast } from '../../lib/toast';
import { ResolveStop } from '../instagram-accounts/resolve-stop';
import { accountTexts } from '../instagram-accounts/texts';
import { AccountChoice } from './account-choice';
import { ContinueOnComputer } from './continue-on-computer';
import { ExportPicture, PastePicture, SignedInPicture } from './cookie-pictures';
import { Region } from './fields/region';
import { useStoreSession } from './stored-accounts';
import { computerTexts, cookieStepTexts as texts, storeSessionTexts } from './texts';
import type { useAccountChoice } from './use-account-choice';
import { useIsPhone } from './use-is-phone';

const steps = [
  { Picture: SignedInPicture, text: texts.signIn },
  { Picture: ExportPicture, text: texts.export },
  { Picture: PastePicture, text: texts.paste(cookieForms.length) },
] as const;

interface AccountStepProps {
  userId: string;
  /** Title of the tool, for the subject of a mail with the link to this page. */
  tool: string;
  account: ReturnType<typeof useAccountChoice>;
  onChoose: (account: string) => void;
  /** The pasted session cookies. */
  value: string;
  onChange: (value: string) => void;
  /** Called when the pasted session has been stored, with the account's number on the network. */
  onStored: (networkUserId: string) => void;
  error: string | undefined;
}

/** The step that asks which account acts: one whose session is stored, or one whose session is pasted here. */
export function AccountStep({ userId, tool, account, onChoose, value, onChange, onStored, error }: AccountStepProps) {
  const isPhone = useIsPhone();
  const [isPastingHere, setPastingHere] = useState(false);
  const { offered, choice, chosen, isPending, isFailed, isPasted, storedFor, stopped, storable } = account;
  const { store, isStoring } = useStoreSession(userId);
  const choices = useRef<HTMLDivElement>(null);
  const justStored = useRef<string>(null);
  useEffect(() => {
    // The button that had the focus is gone: the account that it stored takes it.
    if (justStored.current === null || chosen?.account.network_user_id !== justStored.current) return;
    choices.current?.querySelector<HTMLInputElement>('input:checked')?.focus();
    justStored.current = null;
  }, [chosen]);
  const storeNow = async (networkUserId: string) => {
    try {
      await store(value, networkUserId);
    } catch (failure) {
      toast.error((failure instanceof Error && failure.message) || storeSessionTexts.failed);
      return;
    }
    justStored.current = networkUserId;
    onStored(networkUserId);
    toast.success(storeSessionTexts.stored);
  };
  if (isPending) {
    return (
      <div className="grid gap-2">
        <Skeleton className="h-18 rounded-tile" />
        <Skeleton className="h-18 rounded-tile" />
      </div>
    );
  }
  const isFieldShown = !isPhone || isPastingHere || value !== '' || error !== undefined;
  return (
    <>
      {isFailed && <Notice tone="neutral">{accountTexts.loadFailed}</Notice>}
      {offered.length > 0 && (
        <Region>
          <div ref={choices}>
            <AccountChoice offered={offered} value={choice} onChange={onChoose} />
          </div>
        </Region>
      )}
      {stopped && (
        <Notice tone="warning">
          <div className="grid gap-3">
            <p>{stopped.pause_reason}</p>
            <ResolveStop userId={userId} account={stopped} />
          </div>
        </Notice>
      )}
      {isPasted && (
        <Region>
          {storedFor && <Notice tone="success">{texts.stored(storedFor)}</Notice>}
          {isPhone && <ContinueOnComputer tool={tool} />}
          {isPhone && !isFieldShown && (
            <Button
              variant="quiet"
              className="max-w-full justify-self-start whitespace-normal!"
              aria-expanded={false}
              onClick={() => setPastingHere(true)}
            >
              {computerTexts.pasteHere} <ChevronDown className="size-4" aria-hidden />
            </Button>
          )}
          {isFieldShown && (
            <>
              {!isPhone && <HowTo />}
              <CookieField value={value} onChange={onChange} error={error} isFocused={isPastingHere} />
              {storable !== null && (
                <div className="grid gap-2">
                  <Button
                    variant="secondary"
                    className="max-w-full justify-self-start whitespace-normal!"
                    isBusy={isStoring}
                    onClick={() => void storeNow(storable)}
                  >
                    {storeSessionTexts.button}
                  </Button>
                  <p className="text-sm text-muted">{storeSessionTexts.hint}</p>
                </div>
              )}
            </>
          )}
        </Region>
      )}
    </>
  );
}

function HowTo() {
  return (
    <div className="@container">
      <ol className="grid gap-3 @lg:grid-cols-3 @lg:gap-4">
        {steps.map(({ Picture, text }, index) => (
          <li
            key={text}
            className="grid grid-cols-[8.25rem_minmax(0,1fr)] items-center gap-3.5 text-sm @lg:grid-cols-1 @lg:content-start @lg:gap-3"
          >
            <Picture />
            <p>
              <span className="font-semibold">{index + 1}.</span> {text}
            </p>
          </li>
        ))}
      </ol>
    </div>
  );
}

interface CookieFieldProps {
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  /** Whether the field takes the focus when it appears. */
  isFocused: boolean;
}

function CookieField({ value, onChange, error, isFocused }: CookieFieldProps) {
  const parsed = value.trim() === '' ? null : parseSessionCookies(value);
  return (
    <>
      <TextField
        isMultiline
        label={texts.cookie}
        hint={texts.hint}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        autoFocus={isFocused}
        autoComplete="off"
        spellCheck={false}
        error={error ?? (parsed && !parsed.ok ? parsed.message : undefined)}
      />
      {parsed?.ok && (
        <p role="status" className="flex items-center gap-2 font-medium text-success">
          <CheckCircle2 className="size-5 shrink-0" aria-hidden /> {texts.recognised(cookieFormLabels[parsed.form], parsed.networkUserId)}
        </p>
      )}
    </>
  );
}
