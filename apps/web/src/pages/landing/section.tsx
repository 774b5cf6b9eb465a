import type { ReactNode } from 'react';
import { classes } from '../../lib/classes';
import { pageWidth } from '../../components/frame-looks';

interface SectionProps {
  id: string;
  title: string;
  lead?: string;
  className?: string;
  /** Classes of the inner element, which holds heading and content. */
  inner?: string;
  children: ReactNode;
}

export function Section({ id, title, lead, className, inner, children }: SectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={classes('scroll-mt-20 py-11 md:py-13 lg:py-18', className)}>
      <div className={classes(pageWidth, inner)}>
        <SectionHead id={id} title={title} lead={lead} />
        {children}
      </div>
    </section>
  );
}

export function SectionHead({ id, title, lead, className }: { id: string; title: string; lead?: string | undefined; className?: string }) {
  return (
    <div className={classes('mb-8 max-w-176 lg:mb-11', className)}>
      <h2 id={`${id}-title`} className="text-3xl leading-[1.04] font-[660] tracking-[-0.035em] [font-stretch:108%]">
        {title}
      </h2>
      {lead && <p className="mt-4 text-lg text-muted">{lead}</p>}
    </div>
  );
}

/** A sentence in which the customer's answers are emphasised. @param parts plain and emphasised text in turn, beginning with plain text */
export function StressedSentence({ parts, className }: { parts: readonly string[]; className?: string }) {
  return (
    <p className={classes('text-xl leading-[1.3] font-[560] tracking-[-0.024em] text-balance', className)}>
      {parts.map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <b key={part} className="font-[560] whitespace-nowrap text-tool shadow-[0_2px_0_color-mix(in_srgb,var(--t)_40%,transparent)]">
            {part}
          </b>
        ),
      )}
    </p>
  );
}

/** An avatar with the initials of a person. */
export function Initials({ tool, children }: { tool: string; children: ReactNode }) {
  return (
    <span
      data-tool={tool}
      className="grid size-8 shrink-0 place-content-center rounded-full bg-tool-soft text-xs font-[650] text-tool inset-ring inset-ring-rim"
    >
      {children}
    </span>
  );
}
