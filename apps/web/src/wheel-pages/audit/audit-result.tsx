import { useEffect, useRef } from 'react';
import { Lamp, type LampState } from '../../components/ui/lamp';
import type { AuditReport } from './audit-report';
import { ChainMarks } from './chain-marks';
import { CheckList } from './check-list';
import { checksOf } from './checks';
import type { OwnDraw, OwnVerdict } from './own-draw';
import { auditTexts, faultTitle, resultTexts as texts } from './texts';

const day = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeZone: 'America/Sao_Paulo' });
const dayOf = (at: string) => (Number.isNaN(Date.parse(at)) ? at : day.format(new Date(at)));
const seconds = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

interface AuditResultProps {
  report: AuditReport;
  own: (OwnDraw & { verdict: OwnVerdict }) | null;
  elapsedMs: number;
}

/** What became of a file: one sentence, the checks in words, and the chain as marks. */
export function AuditResult({ report, own, elapsedMs }: AuditResultProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { lamp, state, title, text } = headOf(report);
  const { wheelName, rounds, lines, firstAt, lastAt } = report;
  const facts = [
    ...(wheelName === null ? [] : [texts.wheel(wheelName)]),
    ...(rounds.length === 0 ? [] : [texts.rounds(rounds.map(({ round }) => round))]),
    ...(firstAt === null || lastAt === null ? [] : [texts.period(dayOf(firstAt), dayOf(lastAt))]),
    texts.checked(report.fault ? report.heldLines : lines, seconds.format(Math.max(elapsedMs, 100) / 1_000)),
  ].join(' · ');
  return (
    <section
      aria-label={auditTexts.resultRegion}
      className="lit grid overflow-hidden rounded-panel shadow-2 min-[56.25rem]:grid-cols-[minmax(0,1fr)_440px] min-[56.25rem]:grid-rows-[auto_1fr]"
    >
      <div role="status" className="grid content-start gap-1.5 p-5 pt-6 min-[56.25rem]:p-8 min-[56.25rem]:pb-5">
        <Lamp state={lamp}>{state}</Lamp>
        <h2 ref={heading} tabIndex={-1} className="text-2xl font-[650] tracking-[-0.03em] wrap-anywhere">
          {title}
        </h2>
        {text && <p className="text-muted">{text}</p>}
        <p className="text-muted wrap-anywhere">{facts}</p>
      </div>
      <CheckList
        checks={checksOf(report, own)}
        className="px-5 py-2 shadow-[0_-1px_0_var(--line)] min-[56.25rem]:col-start-2 min-[56.25rem]:row-span-2 min-[56.25rem]:row-start-1 min-[56.25rem]:px-8 min-[56.25rem]:py-5 min-[56.25rem]:shadow-[-1px_0_0_var(--line)]"
      />
      {lines > 0 && (
        <ChainMarks
          report={report}
          className="p-5 shadow-[0_-1px_0_var(--line)] min-[56.25rem]:px-8 min-[56.25rem]:pt-1 min-[56.25rem]:pb-8 min-[56.25rem]:shadow-none"
        />
      )}
    </section>
  );
}

function headOf({ fault, lines, rounds }: AuditReport): { lamp: LampState; state: string; title: string; text?: string } {
  if (fault) return { lamp: 'stop', state: texts.broken.state, title: faultTitle(fault), text: texts.broken.text };
  if (lines === 0) return { lamp: 'off', ...texts.empty };
  if (rounds.some(({ seed }) => seed === 'secret')) return { lamp: 'warn', ...texts.open };
  return { lamp: 'on', state: texts.sound.state, title: texts.sound.title(rounds.length) };
}
