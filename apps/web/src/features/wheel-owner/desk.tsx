import { type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from 'react';
import { useValidatedForm } from '../../components/forms/use-validated-form';
import { Button } from '../../components/ui/button';
import { FieldError } from '../../components/ui/field';
import { focusSoon } from '../../lib/focus-soon';
import { FoundPrize, LastDelivered } from './desk-result';
import { type RedeemedPrize, typedCode, useRedemption } from './redemption';
import { deskTexts as texts } from './texts';
import { VoidDialog } from './void-dialog';
import { refusalOf } from './wheel-function';

interface DeskProps {
  userId: string;
  automationId: string;
  /** A code that is looked up at once. */
  initialCode: string | null;
  ref: Ref<DeskHandle>;
}

export interface DeskHandle {
  /** Looks up a code that was chosen elsewhere, such as in the list of leads. */
  check: (code: string) => void;
}

/** The counter: somebody shows a code, and the wheel's owner hands over the prize. It works while the wheel is off, too. */
export function Desk({ userId, automationId, initialCode, ref }: DeskProps) {
  const id = useId();
  const [prize, setPrize] = useState<RedeemedPrize | null>(null);
  const [said, setSaid] = useState('');
  const [isVoiding, setVoiding] = useState(false);
  const { field, handleSubmit, showError, setValue } = useValidatedForm({ code: '' });
  const { error, ...input } = field('code', { validate: (typed) => (typedCode(typed) === '' ? texts.empty : undefined) });
  const redemption = useRedemption();
  const section = useRef<HTMLElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const result = useRef<HTMLHeadingElement>(null);
  const busyWith = redemption.isPending ? redemption.variables.action : null;

  const show = (found: RedeemedPrize, sentence = '') => {
    setPrize(found);
    setSaid(sentence);
    focusSoon(result);
  };
  const look = async (typed: string) => {
    try {
      show(await redemption.mutateAsync({ code: typedCode(typed), action: 'look' }));
    } catch (failure) {
      setPrize(null);
      setSaid('');
      showError('code', refusalOf(failure) ?? texts.failed);
    }
  };
  const act = async (action: 'deliver' | 'undo', code: string) => {
    setSaid('');
    try {
      const now = await redemption.mutateAsync({ code, action });
      show(now, action === 'deliver' ? texts.deliveredNow(now.name) : texts.undone);
    } catch (failure) {
      const refusal = refusalOf(failure);
      // At another counter somebody was faster: show how the prize is now, and why nothing was done.
      if (refusal !== null) setPrize(await redemption.mutateAsync({ code, action: 'look' }).catch(() => null));
      showError('code', refusal ?? texts.failed);
    }
  };
  const check = (code: string) => {
    setValue('code', code);
    section.current?.scrollIntoView({ block: 'nearest' });
    void look(code);
  };
  useImperativeHandle(ref, () => ({ check }));
  useEffect(() => {
    if (initialCode === null) return;
    const timer = setTimeout(() => check(initialCode));
    return () => clearTimeout(timer);
    // Once: `check` is a new function in every render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [initialCode]);
  return (
    <section
      ref={section}
      aria-labelledby={id}
      className="lit grid scroll-mt-24 overflow-clip rounded-panel shadow-2 min-[56.25rem]:grid-cols-2"
    >
      <div className="grid content-start gap-3.5 p-4 py-5 sm:p-6 min-[56.25rem]:p-7">
        <div>
          <h2 id={id} className="text-xl">
            {texts.title}
          </h2>
          <p className="mt-1 text-md text-muted">{texts.lead}</p>
        </div>
        <form ref={form} className="grid gap-2" noValidate onSubmit={(event) => void handleSubmit(({ code }) => look(code))(event)}>
          <div className="grid gap-2 sm:grid-cols-[minmax(0,1fr)_auto]">
            <input
              {...input}
              type="text"
              aria-label={texts.label}
              aria-invalid={error ? true : undefined}
              aria-describedby={error ? `${id}-error` : undefined}
              placeholder={texts.placeholder}
              autoComplete="off"
              autoCapitalize="characters"
              autoCorrect="off"
              enterKeyHint="search"
              spellCheck={false}
              className="min-h-13 w-full min-w-0 rounded-control bg-surface px-3.5 text-[1.25rem] font-[640] tracking-[0.02em] text-ink uppercase inset-ring inset-ring-edge transition-shadow duration-150 placeholder:font-medium placeholder:text-muted hover:inset-ring-ink focus-visible:inset-ring-ink aria-invalid:inset-ring-[1.5px] aria-invalid:inset-ring-danger-lamp"
            />
            <Button type="submit" size="large" variant={prize?.state === 'won' ? 'secondary' : 'primary'} isBusy={busyWith === 'look'}>
              {texts.check}
            </Button>
          </div>
          {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
        </form>
      </div>
      <div
        data-tool="wheel"
        className="grid content-center gap-3 bg-linear-to-b from-(--ts) to-[color-mix(in_srgb,var(--ts)_30%,transparent)] p-4 py-5 sm:p-6 min-[56.25rem]:p-7"
      >
        <p role="status" className="text-md font-semibold text-success empty:hidden">
          {said}
        </p>
        {prize ? (
          <FoundPrize
            userId={userId}
            prize={prize}
            automationId={automationId}
            heading={result}
            busyWith={busyWith}
            onDeliver={() => void act('deliver', prize.code)}
            onUndo={() => void act('undo', prize.code)}
            onVoid={() => setVoiding(true)}
            onNext={() => {
              setPrize(null);
              setSaid('');
              setValue('code', '');
              setTimeout(() => form.current?.querySelector('input')?.focus());
            }}
          />
        ) : (
          <LastDelivered userId={userId} automationId={automationId} />
        )}
      </div>
      {prize && (
        <VoidDialog isOpen={isVoiding} prize={prize} onClose={() => setVoiding(false)} onVoided={(now) => show(now, texts.voidedNow)} />
      )}
    </section>
  );
}
