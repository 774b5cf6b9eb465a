import { classes } from '../../lib/classes';
import type { AuditMark, AuditReport } from './audit-report';
import { chainTexts as texts, faultTitle } from './texts';

const looks: Record<AuditMark, string> = {
  draw: 'bg-tool',
  other: 'bg-ink',
  voided: 'inset-ring-[1.5px] inset-ring-edge',
  fault: '-mt-1 h-[26px] bg-danger-lamp',
  unchecked: 'bg-tick',
};
const kinds = Object.keys(looks) as AuditMark[];

/** The chain as marks: one for each line of the file. */
export function ChainMarks({ report, className }: { report: AuditReport; className?: string }) {
  const { marks, firstMark, lines, draws, stocks, voids, fault, heldLines } = report;
  const isWhole = firstMark === 1 && lines <= marks.length;
  return (
    <div data-tool="wheel" className={classes('grid content-start gap-3.5', className)}>
      <p className="flex flex-wrap justify-between gap-x-3 gap-y-1 text-sm text-muted">
        <span>{texts.title}</span>
        <span>
          {fault ? faultTitle(fault) : texts.counts(draws, stocks, voids)}
          {!isWhole && ` · ${texts.window(firstMark, Math.min(firstMark + marks.length - 1, lines), lines)}`}
        </span>
      </p>
      <div
        role="img"
        aria-label={fault ? texts.broken(lines, heldLines) : texts.sound(lines)}
        className="flex flex-wrap gap-x-[3px] gap-y-1"
      >
        {marks.map((mark, index) => (
          <i key={index} data-mark={mark} className={classes('block h-[18px] w-[5px]', looks[mark])} />
        ))}
      </div>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted" aria-hidden>
        {kinds
          .filter((kind) => marks.includes(kind))
          .map((kind) => (
            <li key={kind} className="inline-flex items-center gap-[7px]">
              <i className={classes('block h-3.5 w-[5px]', looks[kind], kind === 'fault' && 'mt-0 h-3.5')} />
              {texts.legend[kind]}
            </li>
          ))}
      </ul>
    </div>
  );
}
