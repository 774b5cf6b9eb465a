import type { CSSProperties } from 'react';
import { Button } from '../../components/ui/button';
import { pageWidth } from '../../components/frame-looks';
import { closingTexts } from './texts';

export function Closing({ signUpPath }: { signUpPath: string }) {
  return (
    <section aria-labelledby="decolar-title" className="closing pt-17 text-center md:pt-24">
      <div className={pageWidth}>
        <h2 id="decolar-title" className="text-hero leading-none font-[680] tracking-[-0.042em] [font-stretch:106%]">
          {closingTexts.title}
        </h2>
        <p className="mx-auto mt-5 mb-7 max-w-[32em] text-lg text-muted">{closingTexts.lead}</p>
        <Button asChild size="large" className="max-sm:whitespace-normal">
          <a href={signUpPath}>{closingTexts.signUp}</a>
        </Button>
      </div>
      <Runway />
    </section>
  );
}

/** Distance of each row of lights from the horizon, as a share of the nearest row's. */
const rows = Array.from({ length: 26 }, (_, index) => 0.86 ** index);

/** The lights of a runway at night. Only the lights in the middle are animated. */
function Runway() {
  return (
    <svg className="runway" viewBox="0 0 1200 360" preserveAspectRatio="xMidYMin slice" aria-hidden>
      <path d="M0 32H1200" />
      {rows.map((share, index) => (
        <g key={share} style={{ '--k': index } as CSSProperties}>
          {[-1, 1].map((side) => (
            <ellipse key={side} cx={600 + side * 368 * share} cy={32 + 296 * share} rx={3.95 * share} ry={3.19 * share} />
          ))}
          <rect x={600 - 2.7 * share} y={32 + 290 * share} width={5.4 * share} height={11.5 * share} rx={1.27 * share} />
        </g>
      ))}
    </svg>
  );
}
