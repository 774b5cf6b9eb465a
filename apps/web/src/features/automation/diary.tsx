import type { RunAction } from '@decola/contracts';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Loader2 } from 'lucide-react';
import { type ReactNode, type RefObject, useId, useMemo, useRef, useState } from 'react';
import { dialToolOf } from '../../components/tool-icon';
import { Button } from '../../components/ui/button';
import { FilterButtons, FilterCount, SearchInput } from '../../components/ui/filter-bar';
import { Failure, Skeleton } from '../../components/ui/surface';
import { formatCount } from '../../lib/format';
import type { ListedAutomation } from '../dashboard/automations';
import { useNow } from '../dashboard/use-now';
import { FailurePicture } from '../pictures/failure-picture';
import { CsvButton } from './csv-button';
import { type DiaryLine, type EntriesOfRun, isAtWork, isFeminine, linesOfEntries, linesOfRuns, momentOf, targetOf } from './diary-lines';
import { DiaryList } from './diary-list';
import {
  countsQuery,
  type DiaryRun,
  entriesOfRunQuery,
  mostEntriesOfRun,
  type NewestFirst,
  type OutcomeGroup,
  outcomeGroupNames,
  runCountQuery,
  useEntries,
  usePolling,
  useRuns,
} from './diary-queries';
import { EntryHead, EntryLine } from './entry-line';
import { dayName, timeOf } from './moments';
import { RunLine } from './run-line';
import { diaryTexts as texts, groupTexts, runTexts } from './texts';
import { useDiaryFilter } from './use-diary-filter';

interface DiaryProps {
  userId: string;
  automation: ListedAutomation;
  /** The actions of its runs; none when they only read. */
  actions: readonly RunAction[];
  /** Shown while nothing has run yet. */
  empty: ReactNode;
}

/** Everything that an automation did: its runs, and below each the people or posts with what came of them. */
export function Diary({ userId, automation, actions, empty }: DiaryProps) {
  const title = useId();
  const [action] = actions;
  return (
    <section aria-labelledby={title}>
      <h2 id={title} className="text-xl">
        {texts.title}
      </h2>
      <p className="mt-0.5 text-md text-muted">{texts.lead[action === undefined ? 'none' : targetOf(action)]}</p>
      <DiaryPanel userId={userId} automation={automation} action={action} empty={empty} />
    </section>
  );
}

function DiaryPanel({ userId, automation, action, empty }: Omit<DiaryProps, 'actions'> & { action: RunAction | undefined }) {
  const filters = useDiaryFilter();
  const searchField = useRef<HTMLInputElement>(null);
  const acts = action !== undefined;
  const isFiltered = acts && filters.isFiltered;
  const isRunning = automation.status === 'running';
  const options = { userId, automationId: automation.id, isRunning };
  const polling = usePolling(isRunning);
  const counts = useQuery({ ...countsQuery(userId, automation.id, filters.filter.search), enabled: acts, refetchInterval: polling });
  const runCount = useQuery({ ...runCountQuery(userId, automation.id), refetchInterval: polling });
  const runs = useRuns({ ...options, enabled: !isFiltered });
  const entries = useEntries({ ...options, enabled: isFiltered }, filters.filter);
  const source: NewestFirst<unknown> = isFiltered ? entries : runs;
  const opened = useOpenedRuns(userId, automation.id, runs.rows, isRunning);
  const target = action === undefined ? 'person' : targetOf(action);
  const { of: openedOf } = opened;
  const lines = useMemo(
    () => (isFiltered ? linesOfEntries(entries.rows) : linesOfRuns(runs.rows, runs.hasMore, { acts, entriesOf: openedOf, target })),
    [isFiltered, entries.rows, runs.rows, runs.hasMore, acts, openedOf, target],
  );
  const hasNeverRun = !isFiltered && !runs.isPending && !runs.isError && runs.rows.length === 0;
  const group = filters.filter.group;
  return (
    <div data-tool={dialToolOf(automation.type)} className="lit mt-4 overflow-clip rounded-panel shadow-2">
      {acts && !hasNeverRun && (
        <DiaryBar action={action} filters={filters} counts={counts.data} searchField={searchField}>
          <CsvButton automation={automation} filter={filters.filter} count={counts.data?.[group ?? 'all']} />
        </DiaryBar>
      )}
      {source.isPending ? (
        <DiarySkeleton />
      ) : source.isError ? (
        <div className="p-4">
          <Failure text={texts.loadFailed} onRetry={source.retry} />
        </div>
      ) : hasNeverRun ? (
        empty
      ) : lines.length === 0 ? (
        <NothingFound
          search={filters.filter.search}
          group={group === null ? null : groupName(group, action)}
          onClear={() => {
            filters.clear();
            // The button disappears, and the focus with it.
            searchField.current?.focus();
          }}
        />
      ) : (
        <>
          {isFiltered && <EntryHead target={target} isInRun={false} />}
          <Lines lines={lines} source={source} acts={acts} feminine={isFeminine(target)} onToggle={opened.toggle} />
          <Foot
            source={source}
            text={
              isFiltered
                ? texts.shownEntries(entries.rows.length, counts.data?.[group ?? 'all'] ?? null)
                : texts.shownRuns(runs.rows.length, runCount.data ?? null)
            }
          />
        </>
      )}
    </div>
  );
}

/** Which runs are open, and their lines. The newest run is open at first. */
function useOpenedRuns(userId: string, automationId: string, runs: readonly DiaryRun[], isRunning: boolean) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [firstId, setFirstId] = useState<string>();
  const newest = runs.find(({ tried, skipped, state }) => tried + skipped > 0 || state === 'running')?.id;
  // Only once: a run that begins later must not open itself, and close another, while somebody reads.
  if (firstId === undefined && newest !== undefined) setFirstId(newest);
  const polling = usePolling(isRunning);
  const open = useMemo(() => runs.filter(({ id }) => chosen.get(id) ?? id === firstId), [runs, chosen, firstId]);
  const results = useQueries({
    queries: open.map((run) => entriesOfRunQuery(userId, automationId, run, polling)),
    combine: (answers) =>
      answers.map(({ data, isError }): EntriesOfRun =>
        data ? { state: 'ready', entries: data, isCut: data.length >= mostEntriesOfRun } : { state: isError ? 'failed' : 'loading' },
      ),
  });
  const byRun = useMemo(() => new Map(open.map(({ id }, index) => [id, results[index]])), [open, results]);
  const of = useMemo(
    () =>
      ({ id }: DiaryRun) =>
        byRun.get(id) ?? null,
    [byRun],
  );
  const toggle = (id: string) => setChosen((before) => new Map(before).set(id, !(before.get(id) ?? id === firstId)));
  return { of, toggle };
}

const groupName = (group: OutcomeGroup, action: RunAction | undefined): string => {
  if (group === 'failed') return groupTexts.failed;
  const gender = action !== undefined && isFeminine(targetOf(action)) ? 'feminine' : 'masculine';
  return group === 'skipped' ? groupTexts.skipped[gender] : groupTexts.done[action ?? 'follow'];
};

interface DiaryBarProps {
  action: RunAction;
  filters: ReturnType<typeof useDiaryFilter>;
  counts: Record<OutcomeGroup | 'all', number> | undefined;
  searchField: RefObject<HTMLInputElement | null>;
  children: ReactNode;
}

/** Filters with their counts, search and download, in one bar. */
function DiaryBar({ action, filters: { filter, typed, setTyped, setGroup }, counts, searchField, children }: DiaryBarProps) {
  const all = groupTexts.all[isFeminine(targetOf(action)) ? 'feminine' : 'masculine'];
  const groups = [null, ...outcomeGroupNames] as const;
  return (
    <div className="flex flex-wrap items-center gap-3 border-b border-line p-4 md:px-5">
      <FilterButtons
        label={texts.groups}
        filters={groups.map((group) => ({
          value: group,
          content: (
            <>
              {group === null ? all : groupName(group, action)}
              <FilterCount>{counts ? formatCount(counts[group ?? 'all']) : '…'}</FilterCount>
            </>
          ),
        }))}
        chosen={filter.group}
        onChoose={setGroup}
        className="-mx-1 max-w-full p-1 max-[56.1875rem]:w-[calc(100%+0.5rem)]"
      />
      <SearchInput
        ref={searchField}
        label={texts.search}
        placeholder={texts.searchHint}
        value={typed}
        onChange={setTyped}
        className="min-w-52 flex-1 min-[56.25rem]:ml-auto min-[56.25rem]:max-w-64"
      />
      {children}
    </div>
  );
}

interface LinesProps {
  lines: readonly DiaryLine[];
  source: NewestFirst<unknown>;
  acts: boolean;
  feminine: boolean;
  onToggle: (runId: string) => void;
}

function Lines({ lines, source, acts, feminine, onToggle }: LinesProps) {
  const now = useNow(60_000);
  const { hasMore, isLoadingMore, isMoreFailed, loadMore } = source;
  return (
    <DiaryList lines={lines} onEndNear={hasMore && !isLoadingMore && !isMoreFailed ? loadMore : undefined}>
      {(line) => {
        switch (line.kind) {
          case 'now':
            return <DayLine name={runTexts.now} />;
          case 'day':
            return <DayLine name={dayName(line.at, now)} totals={line.totals && totalsText(line.totals, feminine)} />;
          case 'run':
            return (
              <RunLine
                run={line.run}
                acts={acts}
                isFeminine={feminine}
                opens={line.opens}
                isOpen={line.isOpen}
                onToggle={() => onToggle(line.run.id)}
              />
            );
          case 'head':
            return <EntryHead target={line.target} isInRun />;
          case 'entry':
            return <EntryLine entry={line.entry} isInRun={line.isInRun} isLast={line.isLast} />;
          case 'picture':
            return (
              <div className="-mt-2 px-4 pb-3 pl-[4.25rem] md:pl-[5.5rem]">
                <FailurePicture pictureId={line.pictureId} of={runTexts.open(timeOf(momentOf(line.run)))} />
              </div>
            );
          case 'note':
            return <NoteLine run={line.run} note={line.note} />;
        }
      }}
    </DiaryList>
  );
}

const totalsText = ({ done, skipped, failed }: { done: number; skipped: number; failed: number }, feminine: boolean) =>
  [done > 0 && runTexts.done(done), skipped > 0 && runTexts.skipped(skipped, feminine), failed > 0 && runTexts.failed(failed)]
    .filter(Boolean)
    .join(' · ');

function DayLine({ name, totals }: { name: string; totals?: string | null }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 px-4 pt-4.5 pb-2 text-sm md:px-6">
      <h3 className="text-sm font-semibold font-stretch-normal tracking-normal">{name}</h3>
      {totals && <span className="text-muted">{totals}</span>}
    </div>
  );
}

function NoteLine({ run, note }: { run: DiaryRun; note: 'loading' | 'failed' | 'none' | 'more' }) {
  return (
    <p
      role={note === 'loading' ? 'status' : undefined}
      className="flex items-center gap-2 px-4 pt-1 pb-4 text-sm text-muted md:pl-[6.25rem]"
    >
      {note === 'loading' && <Loader2 className="size-4 animate-spin" aria-hidden />}
      {note === 'loading'
        ? runTexts.people
        : note === 'failed'
          ? runTexts.peopleFailed
          : note === 'more'
            ? runTexts.peopleMore(mostEntriesOfRun)
            : isAtWork(run)
              ? runTexts.noPeopleYet
              : runTexts.noPeople}
    </p>
  );
}

/** How much is shown, and a button for more, which the list also asks for by itself when its end comes near. */
function Foot({ source: { hasMore, isLoadingMore, isMoreFailed, loadMore }, text }: { source: NewestFirst<unknown>; text: string }) {
  return (
    <div className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line px-4 py-2.5 text-sm text-muted md:px-6">
      <p>{isMoreFailed ? <span role="alert">{texts.moreFailed}</span> : text}</p>
      {hasMore && (
        <Button variant="quiet" isBusy={isLoadingMore} onClick={loadMore}>
          {isMoreFailed ? texts.retry : texts.more}
        </Button>
      )}
    </div>
  );
}

function NothingFound({ search, group, onClear }: { search: string; group: string | null; onClear: () => void }) {
  return (
    <div className="grid justify-items-center gap-2 px-5 py-14 text-center">
      <h3 className="text-lg [overflow-wrap:anywhere]">{texts.nothingFound(search, group)}</h3>
      <p className="max-w-[34em] text-muted">{texts.nothingFoundText}</p>
      <Button variant="secondary" className="mt-3" onClick={onClear}>
        {texts.clear}
      </Button>
    </div>
  );
}

function DiarySkeleton() {
  return (
    <div role="status" aria-label={texts.loading} className="grid gap-3 p-4 md:px-6">
      <Skeleton className="h-5 w-40" />
      {Array.from({ length: 5 }, (_, index) => (
        <Skeleton key={index} className="h-12" />
      ))}
    </div>
  );
}
