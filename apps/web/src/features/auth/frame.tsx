import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Logo } from '../../components/logo';
import { configuration } from '../../lib/configuration';
import { usePageTitle } from '../../lib/page-title';
import { welcomeTexts } from './texts';

interface FrameProps {
  title: string;
  /** Title of the browser tab, where it differs from the heading. */
  pageTitle?: string;
  lead?: string;
  keepsFocus?: boolean;
  children: ReactNode;
}

/** Title and lead above a form, and beside it what the product offers. */
export function Frame({ title, pageTitle = title, lead, keepsFocus = false, children }: FrameProps) {
  usePageTitle(pageTitle, { keepsFocus });
  return (
    <div className="grid min-h-dvh grid-cols-1 lg:grid-cols-2">
      <div className="px-4 pt-3 pb-10 sm:px-8 lg:px-12 lg:pt-6 lg:pb-16">
        <header>
          <a href="/" className="inline-flex rounded-control">
            <Logo name={configuration().productName} />
          </a>
        </header>
        <main className="mx-auto grid w-full max-w-[420px] grid-cols-1 gap-6 pt-6 lg:pt-[8vh]">
          <div className="grid gap-1.5">
            <h1 className="text-2xl outline-none">{title}</h1>
            {lead && <p className="text-muted">{lead}</p>}
          </div>
          {children}
        </main>
      </div>
      <Welcome />
    </div>
  );
}

/** What the product offers, next to the form on wide screens. The panel is dark in both themes. */
function Welcome() {
  return (
    <aside aria-label={welcomeTexts.label} className="gate-night hidden content-center px-16 pt-16 pb-[22vh] lg:grid">
      <p className="max-w-[11em] display text-3xl leading-[1.04]">{welcomeTexts.slogan}</p>
      <ul className="mt-7 grid max-w-[26em] gap-3.5 text-lg text-muted">
        {[welcomeTexts.pace, welcomeTexts.record, welcomeTexts.safety, welcomeTexts.trial].map((text) => (
          <li key={text} className="grid grid-cols-[20px_1fr] gap-3.5">
            <Check className="mt-0.5 size-5 text-success" strokeWidth={1.75} aria-hidden />
            {text}
          </li>
        ))}
      </ul>
    </aside>
  );
}
