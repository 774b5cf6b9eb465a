import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { Mark } from '../components/mark';
import { configuration } from '../lib/configuration';
import { frameTexts as texts } from './texts';

interface PageFrameProps {
  /** Who organises the promotion; nothing is shown without a name and without a logo. */
  company?: string;
  /** A picture as `data:` URL. */
  logo?: string | null;
  /** On a wide page the wheel stands left of everything else. */
  isBeside?: boolean;
  children: ReactNode;
}

/** What every page of the wheel has: who organises it at the head, and who made it at the foot. */
export function PageFrame({ company = '', logo = null, isBeside = false, children }: PageFrameProps) {
  return (
    <div className="wheel-page">
      <main className={clsx('inside', isBeside && 'beside')}>
        <Brand company={company} logo={logo} />
        {children}
        <p className="foot mt-4 flex min-h-11 items-center justify-center gap-2 text-sm text-muted">
          {texts.poweredBy}
          <a
            href="/"
            target="_blank"
            rel="noopener"
            className="inline-flex min-h-11 items-center gap-1.5 text-md leading-none font-[720] tracking-[-0.03em] text-ink"
            style={{ fontStretch: 'var(--wide)' }}
          >
            <Mark className="size-[18px]" />
            {configuration().productName}
          </a>
        </p>
      </main>
    </div>
  );
}

function Brand({ company, logo }: { company: string; logo: string | null }) {
  const name = company.trim();
  if (name === '' && logo === null) return null;
  return (
    <p className="brand flex min-h-10 max-w-full items-center gap-2.5 text-md font-[620]">
      {logo === null ? (
        <span aria-hidden className="grid size-9 shrink-0 place-content-center rounded-full bg-ink text-sm font-semibold text-canvas">
          {initialsOf(name)}
        </span>
      ) : (
        <img src={logo} alt={name === '' ? texts.logo : ''} className="max-h-11 max-w-40 shrink-0 object-contain" />
      )}
      {name !== '' && <span className="min-w-0 [overflow-wrap:anywhere]">{name}</span>}
    </p>
  );
}

/** First letters of the first and the last long word: 'Estúdio da Ana' is EA. */
function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word.length > 2 || /^\p{Lu}/u.test(word));
  const [first, last] = [words[0] ?? name, words.length > 1 ? words.at(-1)! : ''];
  return `${Array.from(first)[0] ?? ''}${Array.from(last)[0] ?? ''}`.toLocaleUpperCase('pt-BR');
}
