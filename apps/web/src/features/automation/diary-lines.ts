import { actionFacts, type RunAction, type TargetKind } from '@decola/contracts';
import { dayOf } from './moments';
import type { DiaryEntry, DiaryRun, OutcomeGroup } from './diary-queries';

export interface DayTotals {
  done: number;
  skipped: number;
  failed: number;
}

/** What the diary shows below each other. */
export type DiaryLine =
  | { kind: 'now'; key: string }
  | { kind: 'day'; key: string; at: string; totals: DayTotals | null }
  | { kind: 'run'; key: string; run: DiaryRun; isOpen: boolean; opens: boolean }
  | { kind: 'head'; key: string; target: TargetKind }
  | { kind: 'entry'; key: string; entry: DiaryEntry; isInRun: boolean; isLast: boolean }
  | { kind: 'picture'; key: string; run: DiaryRun; pictureId: string }
  | { kind: 'note'; key: string; run: DiaryRun; note: 'loading' | 'failed' | 'none' | 'more' };

/** The lines of an open run. */
export type EntriesOfRun = { state: 'loading' | 'failed' } | { state: 'ready'; entries: readonly DiaryEntry[]; isCut: boolean };

/** When a run began; of one that has not begun, when it was planned. */
export const momentOf = ({ started_at: startedAt, queued_at: queuedAt }: Pick<DiaryRun, 'started_at' | 'queued_at'>) =>
  startedAt ?? queuedAt;

export const isAtWork = ({ state }: Pick<DiaryRun, 'state'>) => state === 'running' || state === 'queued';

export const failedOf = ({ tried, confirmed }: Pick<DiaryRun, 'tried' | 'confirmed'>) => Math.max(0, tried - confirmed);

/** Whether a run has lines: one that only reads, or did nothing, has none. */
const hasEntries = ({ tried, skipped, state }: DiaryRun) => tried + skipped > 0 || state === 'running';

/**
 * Runs by day, each with its lines when it is open. A day has totals only when all of its runs are known.
 * @param runs newest first
 */
export function linesOfRuns(
  runs: readonly DiaryRun[],
  hasMore: boolean,
  { acts, entriesOf, target }: { acts: boolean; entriesOf: (run: DiaryRun) => EntriesOfRun | null; target: TargetKind },
): DiaryLine[] {
  const lines: DiaryLine[] = [];
  let totals: DayTotals | null = null;
  let day: string | null = null;
  const lastDay = hasMore ? dayOf(momentOf(runs.at(-1) ?? { started_at: null, queued_at: '' })) : null;
  for (const run of runs) {
    const at = momentOf(run);
    if (isAtWork(run)) {
      if (day === null) {
        day = 'now';
        lines.push({ kind: 'now', key: 'now' });
      }
    } else if (dayOf(at) !== day) {
      day = dayOf(at);
      totals = acts && day !== lastDay ? { done: 0, skipped: 0, failed: 0 } : null;
      lines.push({ kind: 'day', key: `day-${day}`, at, totals });
    }
    if (totals && !isAtWork(run)) {
      totals.done += run.confirmed;
      totals.skipped += run.skipped;
      totals.failed += failedOf(run);
    }
    const opens = acts && hasEntries(run);
    const entries = opens ? entriesOf(run) : null;
    lines.push({ kind: 'run', key: run.id, run, isOpen: entries !== null, opens });
    // Taken when the network stopped the run while it was reading, so it belongs to no line below.
    if (run.picture_id) lines.push({ kind: 'picture', key: `picture-${run.id}`, run, pictureId: run.picture_id });
    if (entries === null) continue;
    const noteOf = (note: 'loading' | 'failed' | 'none' | 'more') => lines.push({ kind: 'note', key: `note-${run.id}`, run, note });
    if (entries.state !== 'ready') noteOf(entries.state);
    else if (entries.entries.length === 0) noteOf('none');
    else {
      lines.push({ kind: 'head', key: `head-${run.id}`, target });
      entries.entries.forEach((entry, index) =>
        lines.push({ kind: 'entry', key: entry.id, entry, isInRun: true, isLast: index === entries.entries.length - 1 }),
      );
      if (entries.isCut) noteOf('more');
    }
  }
  return lines;
}

/** Lines of all runs by day. @param entries newest first */
export function linesOfEntries(entries: readonly DiaryEntry[]): DiaryLine[] {
  const lines: DiaryLine[] = [];
  let day: string | null = null;
  for (const entry of entries) {
    if (dayOf(entry.at) !== day) {
      day = dayOf(entry.at);
      lines.push({ kind: 'day', key: `day-${day}`, at: entry.at, totals: null });
    }
    lines.push({ kind: 'entry', key: entry.id, entry, isInRun: false, isLast: false });
  }
  return lines;
}

export const targetOf = (action: RunAction): TargetKind => actionFacts[action].target;

/** Whether the word for a target is feminine: 'pessoa' is, 'post', 'story' and 'comentário' are not. */
export const isFeminine = (target: TargetKind) => target === 'person';

export function groupOf({ outcome }: Pick<DiaryEntry, 'outcome'>): OutcomeGroup {
  if (outcome === 'skipped') return 'skipped';
  return outcome === 'confirmed' || outcome === 'requested' ? 'done' : 'failed';
}
