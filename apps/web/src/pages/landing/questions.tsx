import { Plus } from 'lucide-react';
import { configuration } from '../../lib/configuration';
import { Section } from './section';
import { questionsTexts as texts } from './texts';

export function Questions() {
  return (
    <Section
      id="perguntas"
      title={texts.title}
      inner="lg:grid lg:grid-cols-[1fr_1.6fr] lg:items-start lg:gap-18 lg:[&>div:first-child]:sticky lg:[&>div:first-child]:top-28"
    >
      <div>
        {texts.questions(configuration().productName).map(({ question, answer }, index) => (
          <details key={question} open={index === 0} className="group shadow-[0_1px_0_var(--line)]">
            <summary className="flex min-h-16 cursor-pointer list-none items-center justify-between gap-4 py-3 text-lg leading-snug font-semibold tracking-[-0.012em] [&::-webkit-details-marker]:hidden">
              {question}
              <Plus
                className="size-5 shrink-0 text-muted transition-[rotate] duration-240 ease-calm group-open:rotate-45"
                strokeWidth={1.75}
                aria-hidden
              />
            </summary>
            <p className="max-w-[64ch] pr-10 pb-6 text-muted">{answer}</p>
          </details>
        ))}
      </div>
    </Section>
  );
}
