import { useEffect, useState } from 'react';
import { Failure, Skeleton } from '../../components/ui/surface';
import { usePageTitle } from '../../lib/page-title';
import { CallError } from '../call-function';
import { CodeForm } from '../code-form';
import { PageFrame } from '../page-frame';
import { Pass } from '../pass';
import { useCodePage } from '../use-code-page';
import { OwnerView } from './owner-view';
import { loadReceipt, type Receipt } from './receipt-calls';
import { receiptTexts as texts } from './texts';
import { WinnerView } from './winner-view';

type State = { step: 'loading' } | { step: 'unknown' } | { step: 'failed'; text: string } | { step: 'shown'; shown: Receipt };

/**
 * The receipt of a prize, for whoever has its code. The owner of the wheel, signed in on this browser, delivers the prize here: any camera opens this page
 * from the QR code that the winner shows.
 */
export function ReceiptPage({ code: first }: { code: string }) {
  const { code, attempt, open, retry } = useCodePage(first, '/comprovante');
  return <LoadedReceipt key={attempt} code={code} onCode={open} onRetry={retry} />;
}

function LoadedReceipt({ code, onCode, onRetry }: { code: string; onCode: (code: string) => void; onRetry: () => void }) {
  const [state, setState] = useState<State>({ step: 'loading' });
  useEffect(() => {
    const controller = new AbortController();
    loadReceipt(code, controller.signal).then(
      (shown) => setState(shown ? { step: 'shown', shown } : { step: 'unknown' }),
      (error: unknown) => {
        if (!controller.signal.aborted) setState({ step: 'failed', text: error instanceof CallError ? error.message : '' });
      },
    );
    return () => controller.abort();
  }, [code]);
  switch (state.step) {
    case 'loading':
      return <Loading />;
    case 'unknown':
      return <CodeForm code={code} action={texts.open} onCode={onCode} />;
    case 'failed':
      return <Failed text={state.text || texts.failed} onRetry={onRetry} />;
    case 'shown':
      return <Shown {...state.shown} />;
  }
}

function Shown(shown: Receipt) {
  usePageTitle(texts.documentTitle(shown.receipt.code));
  return (
    <PageFrame company={shown.receipt.company ?? ''}>
      {shown.isOwner ? <OwnerView key={shown.receipt.code} first={shown.receipt} /> : <WinnerView receipt={shown.receipt} />}
    </PageFrame>
  );
}

function Loading() {
  return (
    <PageFrame>
      <p role="status" className="sr-only">
        {texts.loading}
      </p>
      <h1 className="title">{texts.title}</h1>
      <Pass
        top={
          <div className="grid justify-items-center gap-3">
            <Skeleton className="h-5 w-24" />
            <Skeleton className="h-11 w-56" />
            <Skeleton className="h-6 w-28" />
            <Skeleton className="h-10 w-full max-w-80" />
          </div>
        }
      >
        <Skeleton className="col-span-full h-48 w-full" />
      </Pass>
    </PageFrame>
  );
}

function Failed({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <PageFrame>
      <h1 className="title">{texts.title}</h1>
      <div className="w-full">
        <Failure text={text} onRetry={onRetry} />
      </div>
    </PageFrame>
  );
}
