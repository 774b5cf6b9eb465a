import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';

/** A part of the page that is closed until somebody wants it; it works without scripts. */
export function Fold({ id, title, children }: { id?: string; title: string; children: ReactNode }) {
  return (
    <details id={id} className="group w-full scroll-mt-4">
      <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between font-semibold [&::-webkit-details-marker]:hidden">
        {title}
        <ChevronDown className="size-5 transition-transform group-open:rotate-180" aria-hidden />
      </summary>
      {children}
    </details>
  );
}
