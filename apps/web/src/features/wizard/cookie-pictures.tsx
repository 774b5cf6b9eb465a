import { Check, Cookie, Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { cookiePictureTexts as texts } from './texts';

/** A miniature browser window, cut off at the bottom of its tinted box. Orange marks the place to click. */
function Window({ address, isCookieLit = false, children }: { address: string; isCookieLit?: boolean; children: ReactNode }) {
  return (
    <div
      aria-hidden
      className="h-26 overflow-hidden rounded-[12px] bg-linear-to-b from-tool-soft to-tool-soft/40 px-3 pt-3 text-[11px] leading-tight select-none"
    >
      <div className="flex h-full flex-col rounded-t-lg bg-surface inset-ring inset-ring-rim">
        <div className="flex h-6 shrink-0 items-center gap-1 px-2 text-muted">
          <span className="flex min-w-0 flex-1 items-center gap-1 rounded-full bg-sunken px-1.5 py-0.5">
            <Lock className="size-2.5 shrink-0" /> <span className="truncate">{address}</span>
          </span>
          <Cookie className={`size-3.5 shrink-0 ${isCookieLit ? 'text-brand' : ''}`} />
        </div>
        <div className="relative min-h-0 flex-1 px-2 pt-1.5">{children}</div>
      </div>
    </div>
  );
}

export function SignedInPicture() {
  return (
    <Window address={texts.network}>
      <div className="flex items-center gap-2">
        <span className="grid size-8 shrink-0 place-content-center rounded-full border-2 border-brand bg-tool text-surface">
          <Check className="size-4" />
        </span>
        <span className="grid min-w-0 flex-1 gap-1">
          <span className="truncate font-semibold text-ink">{texts.account}</span>
          <span className="h-1.5 w-2/3 rounded-full bg-tick" />
        </span>
      </div>
      <div className="mt-2 grid grid-cols-3 gap-1">
        <span className="h-9 rounded bg-sunken" />
        <span className="h-9 rounded bg-sunken" />
        <span className="h-9 rounded bg-sunken" />
      </div>
    </Window>
  );
}

export function ExportPicture() {
  return (
    <Window address={texts.network} isCookieLit>
      <div className="absolute top-0 right-1.5 grid w-20 gap-1.5 rounded-lg bg-raised p-2 shadow-1">
        <span className="h-1.5 rounded-full bg-tick" />
        <span className="h-1.5 w-2/3 rounded-full bg-tick" />
        <span className="rounded bg-brand px-1.5 py-1 text-center font-semibold text-on-brand">{texts.export}</span>
      </div>
    </Window>
  );
}

export function PastePicture() {
  return (
    <Window address={texts.here}>
      <div className="h-14 overflow-hidden rounded-md border-2 border-brand p-1.5 text-muted">
        {'[{ "name": "sessionid", "value": "42…" }]'}
        <span className="ml-0.5 inline-block h-3 w-px animate-pulse bg-brand align-middle" />
      </div>
    </Window>
  );
}
