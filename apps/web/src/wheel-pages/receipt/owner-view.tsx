import type { OwnerReceipt } from '@decola/contracts/wheel-receipt';
import { PackageCheck, ShieldCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../components/ui/button';
import { Notice } from '../../components/ui/surface';
import { CallError } from '../call-function';
import { Facts, Pass } from '../pass';
import { dayOf, momentOf, timeOf } from './dates';
import { PassTop } from './pass-top';
import { loadReceipt, type OwnerAction, redeem } from './receipt-calls';
import { factTexts, ownerTexts as texts } from './texts';
import { VoidDialog } from './void-dialog';

/** What the owner of the wheel does at the counter: look at the @, deliver, undo, take back. */
export function OwnerView({ first }: { first: OwnerReceipt }) {
  const [receipt, setReceipt] = useState(first);
  const [busy, setBusy] = useState<OwnerAction['action'] | null>(null);
  const [problem, setProblem] = useState<{ text: string; isSignedOut?: boolean } | null>(null);
  const [done, setDone] = useState<'deliver' | 'undo' | null>(null);
  const [isVoiding, setVoiding] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const { state } = receipt;
  // The button that was pressed is gone: what changed is read out, and the keyboard goes on from there.
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) heading.current?.focus();
    isFirst.current = false;
  }, [state]);
  const act = async (action: OwnerAction) => {
    setBusy(action.action);
    setProblem(null);
    try {
      const outcome = await redeem(receipt, action);
      if ('refusal' in outcome) await showRefusal(outcome.refusal);
      else {
        setReceipt(outcome.receipt);
        setDone(action.action === 'void' ? null : action.action);
      }
    } catch (error) {
      const isSignedOut = error instanceof CallError && error.status === 401;
      setProblem(
        isSignedOut ? { text: texts.signedOut, isSignedOut } : { text: (error instanceof CallError && error.message) || texts.failed },
      );
    } finally {
      setBusy(null);
      setVoiding(false);
    }
  };
  /** Another counter was faster, or the time is over: what is true now stands beside the server's sentence. */
  const showRefusal = async (text: string) => {
    setProblem({ text });
    setDone(null);
    const now = await loadReceipt(receipt.code).catch(() => null);
    if (now?.isOwner) setReceipt(now.receipt);
  };
  const wheelPage = `/automation/${receipt.automationId}/roleta`;
  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="title">
        {done === 'deliver' ? texts.deliveredNow : texts.titles[state]}
      </h1>
      <Pass top={<Top receipt={receipt} isNow={done === 'deliver'} />}>
        <Facts
          className="col-span-full"
          facts={[
            [factTexts.wheel, receipt.wheelName],
            [factTexts.drawnAt, momentOf(receipt.drawnAt)],
            [factTexts.code, receipt.code],
            [factTexts.number, factTexts.numberValue(receipt.number)],
            [factTexts.deliveredAt, receipt.deliveredAt === null ? null : momentOf(receipt.deliveredAt)],
            [
              state === 'expired' ? factTexts.expiredAt : factTexts.validUntil,
              receipt.validUntil === null ? null : dayOf(receipt.validUntil),
            ],
            [factTexts.message, receipt.message || null],
            [factTexts.reason, receipt.voidReason],
          ]}
        />
      </Pass>
      <div className="wraps mt-4 grid w-full grid-cols-[minmax(0,1fr)] gap-3 print:hidden">
        {problem && (
          <div role="alert">
            <Notice tone="danger">
              <p>{problem.text}</p>
              {problem.isSignedOut && (
                <Button asChild variant="secondary" className="mt-3">
                  <a href="/auth">{texts.signIn}</a>
                </Button>
              )}
            </Notice>
          </div>
        )}
        <p role="status" className="text-center text-muted empty:hidden">
          {done === 'undo' ? texts.undone : ''}
        </p>
        {state === 'won' ? (
          <>
            <Button size="large" isBusy={busy === 'deliver'} onClick={() => void act({ action: 'deliver' })}>
              {busy !== 'deliver' && <PackageCheck className="size-5" aria-hidden />}
              {texts.deliver}
            </Button>
            <Button asChild variant="quiet">
              <a href={wheelPage}>{texts.openWheel}</a>
            </Button>
            <Button variant="quiet" className="text-danger" onClick={() => setVoiding(true)}>
              {texts.cancel}
            </Button>
          </>
        ) : (
          <Button asChild size="large">
            <a href={wheelPage}>{texts.otherCode}</a>
          </Button>
        )}
        {receipt.undoUntil !== null && (
          <UndoLine
            key={receipt.undoUntil}
            until={receipt.undoUntil}
            isBusy={busy === 'undo'}
            onUndo={() => void act({ action: 'undo' })}
          />
        )}
        <p className="flex min-h-11 items-center justify-center gap-2 text-sm text-muted">
          <ShieldCheck className="size-[18px]" aria-hidden />
          {texts.isOwner}
        </p>
      </div>
      {isVoiding && (
        <VoidDialog
          handle={receipt.handle}
          isBusy={busy === 'void'}
          onClose={() => setVoiding(false)}
          onVoid={(reason, allowAgain) => void act({ action: 'void', reason, allowAgain })}
        />
      )}
    </>
  );
}

function Top({ receipt, isNow }: { receipt: OwnerReceipt; isNow: boolean }) {
  const { state, deliveredAt, handle } = receipt;
  const text =
    state !== 'delivered' || deliveredAt === null
      ? texts.texts[state === 'delivered' ? 'won' : state]
      : isNow
        ? texts.deliveredNowText
        : texts.texts.delivered(dayOf(deliveredAt), timeOf(deliveredAt));
  return (
    <PassTop receipt={receipt} text={text}>
      <p className="mt-3 flex items-center justify-center gap-3 font-semibold wrap-anywhere">{handle}</p>
    </PassTop>
  );
}

/** Shown while a delivery can be undone. @param until ISO 8601 */
function UndoLine({ until, isBusy, onUndo }: { until: string; isBusy: boolean; onUndo: () => void }) {
  const [left] = useState(() => Date.parse(until) - Date.now());
  const [isOver, setOver] = useState(left <= 0);
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setOver(true), left);
    return () => clearTimeout(timer);
  }, [left]);
  if (isOver) return null;
  return (
    <p className="flex flex-wrap items-center justify-between gap-3 text-sm text-muted">
      <span className="flex-[1_1_10rem]">{texts.undoQuestion}</span>
      <Button variant="secondary" isBusy={isBusy} onClick={onUndo}>
        {texts.undo}
      </Button>
    </p>
  );
}
