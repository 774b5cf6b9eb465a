import { formatPrizeCode, maskedHandle, type SpinAnswer } from '@decola/contracts/wheel-page';
import { Copy, Share2, Ticket } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { badgeLook, buttonLook, tones } from '../../components/ui/looks';
import { LightButton } from '../light-button';
import { copyText } from '../../components/copy-text';
import { resultTexts, visitProposals as texts } from './texts';

const QrCode = lazy(() => import('../../components/qr-code').then((module) => ({ default: module.QrCode })));

/** A prize as the visitor sees it, just won or found again. */
export interface Won extends Omit<SpinAnswer, 'success'> {
  /** With `@`. */
  handle: string;
}

interface PrizePassProps {
  won: Won;
  company: string;
  wheelName: string;
  /** The code is mailed, not shown. */
  isCodeMailed: boolean;
  onAgain: () => void;
}

const zone = 'America/Sao_Paulo';
const dayOf = (instant: string) => new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeZone: zone }).format(new Date(instant));
const timeOf = (instant: string) => new Intl.DateTimeFormat('pt-BR', { timeStyle: 'short', timeZone: zone }).format(new Date(instant));

/** What was won, as a boarding pass: above what it is, below how it is fetched. */
export function PrizePass({ won: { winner, participation, handle }, company, wheelName, isCodeMailed, onAgain }: PrizePassProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // This part of the page may load after the spin has ended, so it leads to its heading itself.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const { number, drawnAt, code, receiptUrl, coupon, state, repeated } = participation;
  // Only the browser that drew gets the code; anybody can type anybody's handle.
  const isOwn = code !== null || receiptUrl !== null || (isCodeMailed && !repeated);
  const message = winner.message?.trim() || (isOwn ? texts.defaultMessages[winner.type] : texts.earlier(dayOf(drawnAt), timeOf(drawnAt)));
  const facts = [company, texts.number(number)].filter(Boolean).join(' · ');
  const moment = `${dayOf(drawnAt)}, ${timeOf(drawnAt)} · ${maskedHandle(handle)}`;
  return (
    <>
      <article className="pass rises">
        <div className="pass-top text-center">
          <h1 ref={heading} tabIndex={-1} className="title mt-0! mb-1!">
            {resultTexts.title}
          </h1>
          <p data-tool="wheel" className="text-md font-semibold text-tool">
            {texts.youWon}
          </p>
          <p className="pass-prize">{winner.name}</p>
          <p className="mb-3 flex flex-wrap justify-center gap-2">
            <span data-tool="wheel" className={`${badgeLook} bg-tool-soft text-tool`}>
              {texts.types[winner.type]}
            </span>
            {state !== 'won' && <span className={`${badgeLook} ${tones.neutral}`}>{texts.states[state]}</span>}
          </p>
          <p className="mx-auto max-w-[30em] text-md whitespace-pre-line text-muted [overflow-wrap:anywhere]">{message}</p>
        </div>
        <div className="pass-foot">
          {code !== null ? (
            <>
              <div className="min-w-0">
                <p className="text-xs text-muted">{texts.code}</p>
                <p className="pass-code">{formatPrizeCode(code.replaceAll('-', ''))}</p>
              </div>
              {receiptUrl !== null && (
                <span className="col-start-2 row-span-2 row-start-1 size-23">
                  <Suspense>
                    <QrCode text={receiptUrl} label={texts.qrLabel} className="size-23" />
                  </Suspense>
                </span>
              )}
              <p className="text-xs leading-normal text-muted">
                {facts}
                <br />
                {moment}
              </p>
            </>
          ) : (
            <p className="col-span-full text-xs leading-normal text-muted">
              {isOwn && isCodeMailed && <span className="mb-1 block text-md font-medium text-ink">{texts.codeMailed}</span>}
              {[company, texts.participation(number), maskedHandle(handle)].filter(Boolean).join(' · ')}
              {!isOwn && (
                <>
                  <br />
                  {texts.lostCode}
                </>
              )}
            </p>
          )}
          {coupon && (
            <div className="col-span-full mt-3">
              <p className="text-xs text-muted">{texts.coupon}</p>
              <p className="pass-code whitespace-normal! [overflow-wrap:anywhere]">{coupon}</p>
            </div>
          )}
        </div>
      </article>
      {isOwn && (code !== null || receiptUrl !== null) && (
        <div className="mt-4 grid w-full grid-cols-2 gap-2">
          {receiptUrl !== null && <ShareButton title={wheelName} text={texts.shared(winner.name, wheelName)} url={receiptUrl} />}
          {code !== null && <CopyButton text={formatPrizeCode(code.replaceAll('-', ''))} label={texts.copyCode} />}
          {receiptUrl !== null && (
            <a href={receiptUrl} target="_blank" rel="noopener" className={`${buttonLook({ variant: 'secondary' })} px-2.5!`}>
              <Ticket className="size-[18px] shrink-0" aria-hidden />
              {texts.receipt}
            </a>
          )}
          {coupon && <CopyButton text={coupon} label={texts.copyCoupon} className="col-span-full" />}
        </div>
      )}
      <LightButton variant={isOwn ? 'quiet' : 'secondary'} className={isOwn ? 'mt-2' : 'mt-4'} onClick={onAgain}>
        {resultTexts.again}
      </LightButton>
    </>
  );
}

function CopyButton({ text, label, className = '' }: { text: string; label: string; className?: string }) {
  const [said, setSaid] = useState<string | null>(null);
  const copy = async () => setSaid((await copyText(text)) ? texts.copied : texts.copyFailed);
  return (
    <LightButton variant="secondary" className={`px-2.5! ${className}`} onClick={() => void copy()} onBlur={() => setSaid(null)}>
      <Copy className="size-[18px] shrink-0" aria-hidden />
      <span role="status">{said ?? label}</span>
    </LightButton>
  );
}

/** Shares by the system's own dialog; without one, or where a frame may not open it, the link is copied. */
function ShareButton({ title, text, url }: { title: string; text: string; url: string }) {
  const [said, setSaid] = useState<string | null>(null);
  const share = async () => {
    try {
      await navigator.share({ title, text, url });
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return;
      setSaid((await copyText(`${text} ${url}`)) ? texts.copied : texts.copyFailed);
    }
  };
  return (
    <LightButton size="large" className="col-span-full" onClick={() => void share()} onBlur={() => setSaid(null)}>
      <Share2 className="size-5 shrink-0" aria-hidden />
      <span role="status">{said ?? texts.share}</span>
    </LightButton>
  );
}
