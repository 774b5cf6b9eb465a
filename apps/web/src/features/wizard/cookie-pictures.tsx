import { Check, Cookie, Lock } from 'lucide-react';
import type { ReactNode } from 'react';

/** A browser window, as small as a stamp. */
function Window({ address, children }: { address: string; children: ReactNode }) {
  return (
    <div aria-hidden className="h-28 overflow-hidden rounded-lg border border-line bg-surface text-[11px] leading-tight select-none">
      <div className="flex h-6 items-center gap-1 border-b border-line px-2 text-muted">
        <span className="hidden size-1.5 rounded-full bg-line @xl:block" />
        <span className="hidden size-1.5 rounded-full bg-line @xl:block" />
        <span className="flex min-w-0 flex-1 @xl:ml-1 items-center gap-1 rounded-full bg-sunken px-1.5 py-0.5">
          <Lock className="size-2.5 shrink-0" /> <span className="truncate">{address}</span>
        </span>
        <Cookie className="size-3.5 shrink-0 text-brand" />
      </div>
      <div className="relative h-[calc(100%-1.5rem)] p-2">{children}</div>
    </div>
  );
}

export function SignedInPicture() {
  return (
    <Window address="instagram.com">
      <div className="flex items-center gap-2">
        <span className="grid size-8 place-content-center rounded-full border-2 border-brand bg-brand-soft">
          <Check className="size-4 text-brand" />
        </span>
        <span className="grid flex-1 gap-1">
          <span className="font-semibold text-ink">sua.conta</span>
          <span className="h-1.5 w-2/3 rounded-full bg-line" />
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
    <Window address="instagram.com">
      <div className="absolute top-0 right-2 grid w-24 gap-1 rounded-b-lg border border-t-0 border-line bg-surface p-2 shadow-lg">
        <span className="truncate rounded bg-sunken px-1.5 py-0.5 text-muted">sessionid</span>
        <span className="truncate rounded bg-sunken px-1.5 py-0.5 text-muted">ds_user_id</span>
        <span className="rounded bg-brand px-1.5 py-1 text-center font-semibold text-on-brand">Exportar</span>
      </div>
    </Window>
  );
}

export function PastePicture() {
  return (
    <Window address="decole por aqui">
      <div className="h-full rounded-md border-2 border-brand p-1.5 font-mono text-[10px] text-muted">
        {'[{ "name": "sessionid", "value": "42…" },'}
        <br />
        {' { "name": "ds_user_id" … }]'}
        <span className="ml-0.5 inline-block h-3 w-px animate-pulse bg-brand align-middle" />
      </div>
    </Window>
  );
}
