import { ChevronDown } from 'lucide-react';
import { Lamp } from '../../components/ui/lamp';
import { classes } from '../../lib/classes';
import { failedOf, isAtWork, momentOf } from './diary-lines';
import type { DiaryRun } from './diary-queries';
import { timeOf } from './moments';
import { runTexts as texts } from './texts';

/** Marks that can be read one by one; with more of them the numbers say it alone. */
const mostMarks = 12;
const mostMarksOnPhones = 5;

/** A mark for each action of a run: confirmed, failed, or skipped. The words beside them say the same. */
function RunMarks({ run }: { run: DiaryRun }) {
  const failed = failedOf(run);
  const looks = [
    ...Array.from({ length: run.confirmed }, () => 'bg-tool'),
    ...Array.from({ length: failed }, () => 'bg-danger-lamp'),
    ...Array.from({ length: run.skipped }, () => 'bg-transparent inset-ring-[1.5px] inset-ring-edge'),
  ];
  if (looks.length === 0 || looks.length > mostMarks) return null;
  return (
    <span className={classes('marks shrink-0', looks.length > mostMarksOnPhones && 'max-sm:hidden')} aria-hidden>
      {looks.map((look, index) => (
        <i key={index} className={look} />
      ))}
    </span>
  );
}

function resultOf(run: DiaryRun, acts: boolean): readonly [strong: string, rest: string] {
  const [confirmed, tried] = [run.confirmed.toLocaleString('pt-BR'), run.tried.toLocaleString('pt-BR')];
  if (!acts) return texts.pages(run.pages);
  if (isAtWork(run)) return texts.soFar(run.confirmed);
  if (run.tried === 0) return texts.nothing;
  return run.outcome === 'stopped' ? texts.stopped(confirmed, tried) : texts.confirmed(confirmed, tried);
}

/** What is worth knowing beside the number: a reason, what was skipped or failed, or how long it took. */
function whyOf(run: DiaryRun, isFeminine: boolean): string {
  if (run.state === 'abandoned') return run.reason ?? texts.abandoned;
  const failed = failedOf(run);
  const counted = [run.skipped > 0 && texts.skipped(run.skipped, isFeminine), failed > 0 && texts.failed(failed)]
    .filter(Boolean)
    .join(' · ');
  const said = [run.reason, counted].filter(Boolean).join(' ');
  if (said !== '') return said;
  if (run.started_at === null || run.finished_at === null) return '';
  return texts.took(Math.round((Date.parse(run.finished_at) - Date.parse(run.started_at)) / 60_000));
}

interface RunLineProps {
  run: DiaryRun;
  /** Whether runs of the automation do something to people or posts; others only read. */
  acts: boolean;
  isFeminine: boolean;
  /** Whether there is anything below the run to open. */
  opens: boolean;
  isOpen: boolean;
  onToggle: () => void;
}

/** One run: when, how it ended, and why. It opens to show its people. */
export function RunLine({ run, acts, isFeminine, opens, isOpen, onToggle }: RunLineProps) {
  const time = timeOf(momentOf(run));
  const [strong, rest] = resultOf(run, acts);
  const content = (
    <>
      <time dateTime={momentOf(run)} className="font-semibold tabular-nums">
        {time}
      </time>{' '}
      <span className="flex min-w-0 items-center gap-3 text-md">
        <RunMarks run={run} />
        <span className="min-w-0">
          <strong className="font-semibold">{strong}</strong>
          {rest}
        </span>
      </span>{' '}
      <span className="col-start-2 text-sm text-pretty text-muted [overflow-wrap:anywhere] md:col-start-3 md:row-start-1">
        {isAtWork(run) ? (
          <Lamp state={run.state === 'running' ? 'run' : 'off'}>{run.state === 'running' ? texts.running : texts.queued}</Lamp>
        ) : (
          whyOf(run, isFeminine)
        )}
      </span>
      {opens && (
        <ChevronDown
          className={classes(
            'col-start-3 row-start-1 size-5 text-muted transition-transform duration-240 md:col-start-4',
            isOpen && 'rotate-180',
          )}
          aria-hidden
        />
      )}
    </>
  );
  const look =
    'grid min-h-16 w-full grid-cols-[3.25rem_minmax(0,1fr)_1.25rem] items-center gap-x-3 gap-y-0.5 px-4 py-3 text-left md:grid-cols-[4rem_20rem_minmax(0,1fr)_1.25rem] md:px-6';
  return opens ? (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      className={classes(look, 'cursor-pointer hover:bg-sunken/45 focus-visible:rounded-control focus-visible:-outline-offset-3')}
    >
      {content}
    </button>
  ) : (
    <div className={look}>{content}</div>
  );
}
