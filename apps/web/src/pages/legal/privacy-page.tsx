import { Ban, EyeOff, Hand, Timer } from 'lucide-react';
import { configuration } from '../../lib/configuration';
import { LegalPage } from './legal-page';
import { legalTexts, privacyTexts as texts } from './texts';

const icons = [EyeOff, Timer, Ban, Hand];

export function PrivacyPage() {
  const { productName, company = '' } = configuration();
  return (
    <LegalPage title={texts.title} lead={texts.lead} sections={texts.sections(productName, company)}>
      <section
        aria-label={legalTexts.summary}
        className="lit mb-10 rounded-panel px-4 py-1 shadow-2 min-[56.25rem]:px-8 min-[56.25rem]:py-7"
      >
        <ul className="grid min-[56.25rem]:grid-cols-4 min-[56.25rem]:gap-8">
          {texts.promises.map(({ title, text }, index) => {
            const Icon = icons[index]!;
            return (
              <li
                key={title}
                className="grid grid-cols-[24px_minmax(0,1fr)] gap-x-3.5 gap-y-0.5 py-4 not-first:shadow-[0_-1px_0_var(--line)] min-[56.25rem]:grid-cols-1 min-[56.25rem]:content-start min-[56.25rem]:gap-y-2 min-[56.25rem]:py-0 min-[56.25rem]:not-first:shadow-none"
              >
                <Icon className="size-5" strokeWidth={1.75} aria-hidden />
                <b className="font-semibold">{title}</b>
                <p className="text-md text-muted max-[56.25rem]:col-start-2">{text}</p>
              </li>
            );
          })}
        </ul>
      </section>
    </LegalPage>
  );
}
