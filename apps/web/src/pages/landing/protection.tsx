import { followWarmUp } from '@decola/contracts';
import { Hand, KeyRound, Undo2 } from 'lucide-react';
import type { CSSProperties } from 'react';
import { classes } from '../../lib/classes';
import { pageWidth } from '../../components/frame-looks';
import { SectionHead } from './section';
import { protectionTexts as texts } from './texts';

const reasons = [
  { icon: KeyRound, ...texts.password },
  { icon: Hand, ...texts.stop },
  { icon: Undo2, ...texts.undo },
];

function nameOf(untilDay: number | null, index: number): string {
  if (untilDay === null) return texts.afterwards;
  return index === 0 ? texts.firstDays(untilDay) : texts.untilDay(untilDay);
}

/** The section about the safety of accounts, with a chart of the default ceilings. It is the only dark section of the page. */
export function Protection() {
  return (
    <section aria-labelledby="protecao-title" className="night overflow-hidden py-11 text-ink md:py-13 lg:my-10 lg:py-26">
      <div className={classes(pageWidth, 'grid grid-cols-1 gap-8 lg:grid-cols-2 lg:items-end lg:gap-x-24 lg:gap-y-6')}>
        <SectionHead id="protecao" title={texts.title} lead={texts.lead} className="mb-0 lg:mb-0 lg:self-start" />
        <div className="lg:col-start-2 lg:row-span-2 lg:row-start-1" data-tool="follow">
          <h3 className="text-sm leading-6 font-semibold tracking-normal text-muted [font-stretch:100%]">{texts.towers}</h3>
          <ul className="climbers">
            {followWarmUp.map(({ untilDay, perDay }, index) => (
              <li key={perDay}>
                <b className="display text-[clamp(2.25rem,1.2rem+4.4vw,5rem)] leading-[0.9] font-[670] tracking-[-0.045em]">{perDay}</b>
                <i style={{ '--v': perDay } as CSSProperties} aria-hidden />
                <span className="min-h-[2.7em] text-sm leading-[1.35] text-muted">{nameOf(untilDay, index)}</span>
              </li>
            ))}
          </ul>
          <p className="mt-1 text-sm text-muted">{texts.mark}</p>
        </div>
        <ul data-tool="follow">
          {reasons.map(({ icon: Icon, title, text }) => (
            <li key={title} className="grid grid-cols-[24px_1fr] gap-x-3.5 gap-y-1 py-4.5 shadow-[0_-1px_0_var(--line)]">
              <Icon className="size-5 text-tool" strokeWidth={1.75} aria-hidden />
              <h3 className="text-[1.0625rem] [font-stretch:100%]">{title}</h3>
              <p className="col-start-2 text-md text-muted">{text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
