import type { PrizeReceipt } from '@decola/contracts/wheel-receipt';
import { ChevronRight, Printer, Share2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../components/ui/button';
import { CopyButton } from '../copy-button';
import { Facts, Pass } from '../pass';
import { copyText } from '../../components/copy-text';
import { dayOf, momentOf, timeOf } from './dates';
import { DrawProof } from './draw-proof';
import { PassTop } from './pass-top';
import { factTexts, receiptTexts as texts, winnerTexts } from './texts';

const QrCode = lazy(() => import('../../components/qr-code').then((module) => ({ default: module.QrCode })));

/** The address of a receipt, as it is shared and drawn. */
const addressOf = (code: string) => `${window.location.origin}/comprovante/${code}`;

/** What the winner does with the prize: show the code, keep it, prove the draw, rule over their data. */
export function WinnerView({ receipt }: { receipt: PrizeReceipt }) {
  const { code, number, coupon, state, wheelName, drawnAt, handle, validUntil, deliveredAt, authorisation, rulesUrl } = receipt;
  return (
    <>
      <h1 className="title">{texts.title}</h1>
      <Pass top={<PassTop receipt={receipt} text={textOf(receipt)} />}>
        <div className="min-w-0">
          <p className="text-xs text-muted">{texts.code}</p>
          <p className="pass-code">{code}</p>
          <p className="text-xs text-muted">{texts.number(number)}</p>
        </div>
        <Suspense fallback={<span className="size-[92px]" />}>
          <QrCode text={addressOf(code)} label={texts.qr} className="size-[92px]" />
        </Suspense>
        {coupon !== null && (
          <div className="col-span-full mt-4 flex flex-wrap items-center justify-between gap-3 pt-4 shadow-[0_-1px_0_var(--line)]">
            <div className="min-w-0">
              <p className="text-xs text-muted">{texts.coupon}</p>
              <p className="text-lg font-[640] wrap-anywhere">{coupon}</p>
            </div>
            <CopyButton text={coupon} className="print:hidden">
              {texts.copyCoupon}
            </CopyButton>
          </div>
        )}
        <Facts
          className="col-span-full mt-4 pt-4 shadow-[0_-1px_0_var(--line)]"
          facts={[
            [factTexts.wheel, wheelName],
            [factTexts.drawnAt, momentOf(drawnAt)],
            [factTexts.handle, handle],
            [factTexts.deliveredAt, deliveredAt === null ? null : momentOf(deliveredAt)],
            [
              state === 'expired' ? factTexts.expiredAt : factTexts.validUntil,
              validUntil === null || state === 'voided' ? null : dayOf(validUntil),
            ],
            [factTexts.authorisation, authorisation],
          ]}
        />
      </Pass>
      <div className="wraps mt-4 flex w-full flex-wrap gap-2 *:flex-[1_1_auto] print:hidden">
        {state === 'won' && <ShareButton code={code} prize={receipt.prize.name} />}
        <CopyButton text={code} className="px-2.5">
          {texts.copyCode}
        </CopyButton>
        <Button variant="secondary" className="px-2.5" onClick={() => window.print()}>
          <Printer className="size-[18px]" aria-hidden />
          {texts.print}
        </Button>
      </div>
      <div className="mt-4 w-full">
        <DrawProof receipt={receipt} />
        {receipt.canErase && <Row href={`/meus-dados/${code}`}>{texts.myData}</Row>}
        {rulesUrl !== null && (
          <Row href={rulesUrl} isOutside>
            {texts.rules}
          </Row>
        )}
      </div>
    </>
  );
}

function textOf({ state, prize, coupon, validUntil, deliveredAt, company, contact }: PrizeReceipt): string {
  switch (state) {
    case 'won':
      return winnerTexts.won[coupon === null ? prize.type : 'coupon'](validUntil);
    case 'delivered':
      return deliveredAt === null ? '' : winnerTexts.delivered(dayOf(deliveredAt), timeOf(deliveredAt));
    case 'expired':
      return winnerTexts.expired(validUntil, company, contact);
    case 'voided':
      return winnerTexts.voided(company, contact);
  }
}

function Row({ href, isOutside = false, children }: { href: string; isOutside?: boolean; children: string }) {
  return (
    <a
      href={href}
      {...(isOutside ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
      className="flex min-h-14 items-center justify-between gap-3 font-semibold shadow-[0_-1px_0_var(--line)] print:hidden"
    >
      {children}
      <ChevronRight className="size-5 text-muted" aria-hidden />
    </a>
  );
}

/** By the phone's own sheet where there is one; else the address is copied. */
function ShareButton({ code, prize }: { code: string; prize: string }) {
  const [isCopied, setCopied] = useState(false);
  const share = async () => {
    const url = addressOf(code);
    try {
      if (typeof navigator.share === 'function') return await navigator.share({ title: texts.shareText(prize), url });
      setCopied(await copyText(url));
    } catch {
      // The person closed the sheet.
    }
  };
  return (
    <Button size="large" className="basis-full! px-3" onClick={() => void share()}>
      <Share2 className="size-5" aria-hidden />
      <span aria-live="polite">{isCopied ? texts.shared : texts.share}</span>
    </Button>
  );
}
