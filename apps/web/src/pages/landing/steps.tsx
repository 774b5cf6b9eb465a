import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Lamp } from '../../components/ui/lamp';
import { Section, StressedSentence } from './section';
import { exampleTexts, stepsTexts as texts } from './texts';

/** The steps to the first automation, each with its duration. On wide screens each step is placed higher than the one before. */
export function Steps() {
  return (
    <Section id="passos" title={texts.title}>
      <ol className="climb">
        <Step number={1} {...texts.connect}>
          <p className="flex justify-between gap-3 rounded-control px-3 py-2 text-muted inset-ring inset-ring-edge">
            <span>••••••••••••••••</span> {texts.connect.pasted}
          </p>
          <Lamp state="on">{texts.connect.checked}</Lamp>
        </Step>
        <Step number={2} {...texts.say}>
          <div data-tool="like">
            <StressedSentence parts={texts.say.sentence} className="text-lg" />
          </div>
        </Step>
        <Step number={3} {...texts.watch}>
          {exampleTexts.steps.slice(0, 2).map(([time, action, whom]) => (
            <p key={time} className="grid grid-cols-[44px_1fr_auto] gap-2 text-muted">
              <span className="tabular-nums">{time}</span>
              <span>
                <b className="font-semibold text-ink">{action}</b> {whom}
              </span>
              <Check className="size-4 text-success" />
            </p>
          ))}
        </Step>
        <svg className="climb-path" viewBox="0 0 1200 200" preserveAspectRatio="none" aria-hidden>
          <path d="M24 150C300 150 260 86 440 86S760 22 860 22H1200" vectorEffect="non-scaling-stroke" />
        </svg>
      </ol>
    </Section>
  );
}

function Step({ number, title, text, children }: { number: number; title: string; text: string; children: ReactNode }) {
  return (
    <li>
      <span className="climb-number" aria-hidden>
        {number}
      </span>
      <h3 className="pt-2 text-[1.25rem]">{title}</h3>
      <p className="mt-2 max-w-[32em] text-muted">{text}</p>
      <div aria-hidden className="lit mt-5 hidden max-w-85 gap-2 rounded-tile px-4.5 py-4 text-sm shadow-1 lg:grid">
        {children}
      </div>
    </li>
  );
}
