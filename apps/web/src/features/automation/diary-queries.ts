import type { ActionOutcome, AutomationRunRow, RunDiaryRow } from '@decola/contracts';
import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { client, unwrap } from '../../lib/api-client';
import { useLivePolling } from '../../lib/live-state';

/** What the customer can filter by. Together the groups have every outcome. */
export const outcomeGroups = {
  done: ['confirmed', 'requested'],
  skipped: ['skipped'],
  failed: ['not_confirmed', 'refused', 'unknown'],
} as const satisfies Record<string, readonly ActionOutcome[]>;
export type OutcomeGroup = keyof typeof outcomeGroups;
export const outcomeGroupNames = Object.keys(outcomeGroups) as readonly OutcomeGroup[];

export interface DiaryFilter {
  /** Null for every outcome. */
  group: OutcomeGroup | null;
  /** Part of a username, without `@`; empty for everybody. */
  search: string;
}

const entryColumns = 'id,run_id,action,target_id,target_username,post_code,text,outcome,skip_reason,reason,settled,at,picture_id';
const runColumns = 'id,kind,state,outcome,reason,queued_at,started_at,finished_at,tried,confirmed,skipped,pages,picture_id';

/** A line of the diary: one person or post. */
export type DiaryEntry = Pick<
  RunDiaryRow,
  | 'id'
  | 'run_id'
  | 'action'
  | 'target_id'
  | 'target_username'
  | 'post_code'
  | 'text'
  | 'outcome'
  | 'skip_reason'
  | 'reason'
  | 'settled'
  | 'at'
  | 'picture_id'
>;
export type DiaryRun = Pick<
  AutomationRunRow,
  | 'id'
  | 'kind'
  | 'state'
  | 'outcome'
  | 'reason'
  | 'queued_at'
  | 'started_at'
  | 'finished_at'
  | 'tried'
  | 'confirmed'
  | 'skipped'
  | 'pages'
  | 'picture_id'
>;

/** How often what may change is read while changes are not heard: while a run is at work, and otherwise. */
export const usePolling = (isRunning: boolean): number | false => useLivePolling(isRunning ? 3_000 : 20_000);

/** A part of a list that is ordered from newest to oldest: what comes after a row, or everything down to a row. */
interface Part {
  after?: Row | undefined;
  downTo?: Row | undefined;
  limit: number;
}
type Row = { id: string } & Record<string, unknown>;

/** Rows of a table of one automation. PostgREST's builders are too deep for generics, so only what is used here is named. */
function select(table: string, columns: string, automationId: string, { group, search }: DiaryFilter, options = {}) {
  let query = client().from(table).select(columns, options).eq('automation_id', automationId);
  if (group !== null) query = query.in('outcome', [...outcomeGroups[group]]);
  // An underscore is part of many names, and a wildcard of LIKE.
  if (search !== '') query = query.ilike('target_username', `%${search.replace(/[\\%_]/g, String.raw`\$&`)}%`);
  return query;
}

async function readPart<Found>(query: ReturnType<typeof select>, moment: string, { after, downTo, limit }: Part): Promise<Found[]> {
  // `lte` alone lets PostgreSQL begin at the right place of its index; the second filter drops what is already known of that instant.
  if (after) query = query.lte(moment, after[moment]).or(`${moment}.lt.${String(after[moment])},id.lt.${after.id}`);
  if (downTo) query = query.gte(moment, downTo[moment]);
  return unwrap(
    await query
      .order(moment, { ascending: false })
      .order('id', { ascending: false })
      .limit(limit)
      .overrideTypes<Found[], { merge: false }>(),
  );
}

const noFilter: DiaryFilter = { group: null, search: '' };

export const readEntries = (automationId: string, filter: DiaryFilter, part: Part) =>
  readPart<DiaryEntry>(select('run_diary', entryColumns, automationId, filter), 'at', part);

const readRuns = (automationId: string, part: Part) =>
  readPart<DiaryRun>(select('automation_runs', runColumns, automationId, noFilter), 'queued_at', part);

/** The most lines of one run that are shown below it. */
export const mostEntriesOfRun = 500;

const settledAfterMs = 60_000;

/** The lines of one run, oldest first. Those of a run that ended a while ago never change. @param pollMs how often the lines of a run at work are read */
export function entriesOfRunQuery(userId: string, automationId: string, run: DiaryRun, pollMs: number | false) {
  const isOver = run.finished_at !== null && Date.now() - Date.parse(run.finished_at) > settledAfterMs;
  return queryOptions({
    queryKey: ['run_diary', userId, automationId, 'run', run.id],
    queryFn: async () =>
      unwrap(
        await select('run_diary', entryColumns, automationId, noFilter)
          .eq('run_id', run.id)
          .order('at', { ascending: true })
          .order('id', { ascending: true })
          .limit(mostEntriesOfRun)
          .overrideTypes<DiaryEntry[], { merge: false }>(),
      ),
    staleTime: isOver ? ('static' as const) : 0,
    refetchInterval: isOver ? (false as const) : pollMs,
  });
}

async function countOf(automationId: string, filter: DiaryFilter): Promise<number> {
  const { count, error } = await select('run_diary', 'id', automationId, filter, { count: 'exact', head: true });
  unwrap({ data: true, error });
  return count ?? 0;
}

/** How many lines each group has, of those that match the search. */
export const countsQuery = (userId: string, automationId: string, search: string) =>
  queryOptions({
    queryKey: ['run_diary', userId, automationId, 'counts', search],
    queryFn: async () => {
      const counts = await Promise.all(outcomeGroupNames.map((group) => countOf(automationId, { group, search })));
      const [done = 0, skipped = 0, failed = 0] = counts;
      return { all: done + skipped + failed, done, skipped, failed };
    },
    placeholderData: keepPreviousData,
  });

export const runCountQuery = (userId: string, automationId: string) =>
  queryOptions({
    queryKey: ['automation_runs', userId, automationId, 'count'],
    queryFn: async () => {
      const { count, error } = await select('automation_runs', 'id', automationId, noFilter, { count: 'exact', head: true });
      unwrap({ data: true, error });
      return count ?? 0;
    },
  });

export type RunOfDay = Pick<DiaryRun, 'id' | 'queued_at' | 'started_at' | 'tried' | 'confirmed' | 'skipped' | 'pages'>;

/** The server answers with so many rows at most. */
export const mostRows = 1_000;

const sumsEveryMs = 15_000;

/**
 * What the runs since a moment have done, newest first. An automation that runs every 15 minutes has more of them in 14 days than one answer has, so
 * they are not read again with every change of `automation_runs`, but when a run is over, and now and then while one is at work.
 * @param lastRunAt when the last run was over
 */
export const runsSinceQuery = (userId: string, automationId: string, since: string, lastRunAt: string | null, isRunning: boolean) =>
  queryOptions({
    queryKey: ['run_sums', userId, automationId, since, lastRunAt],
    queryFn: async () => {
      const runs: RunOfDay[] = [];
      for (;;) {
        const part = await readPart<RunOfDay>(
          select('automation_runs', 'id,queued_at,started_at,tried,confirmed,skipped,pages', automationId, noFilter).gte(
            'queued_at',
            since,
          ),
          'queued_at',
          { after: runs.at(-1), limit: mostRows },
        );
        runs.push(...part);
        if (part.length < mostRows) return runs;
      }
    },
    placeholderData: keepPreviousData,
    refetchInterval: isRunning && sumsEveryMs,
  });

export interface NewestFirst<Found> {
  rows: readonly Found[];
  isPending: boolean;
  isError: boolean;
  retry: () => void;
  hasMore: boolean;
  isLoadingMore: boolean;
  isMoreFailed: boolean;
  loadMore: () => void;
}

interface ListOptions<Found> {
  table: string;
  key: readonly unknown[];
  pageSize: number;
  read: (part: Part) => Promise<Found[]>;
  isRunning: boolean;
  enabled: boolean;
}

/** Rows from the newest page that are read again with those that are new, because the last ones may still change. */
const overlap = 10;
const mostNewRows = 500;

/**
 * A long list, newest first, whose pages are read as one scrolls. A page that was read is not read again: only the newest rows are, from a row of the
 * first page on. A diary of 100,000 lines would otherwise be read whole whenever something changed.
 */
function useNewestFirst<Found extends { id: string }>({
  table,
  key,
  pageSize,
  read,
  isRunning,
  enabled,
}: ListOptions<Found>): NewestFirst<Found> {
  const queryClient = useQueryClient();
  const pagesKey = [table, ...key, 'pages'];
  const pages = useInfiniteQuery({
    queryKey: pagesKey,
    queryFn: ({ pageParam }) => read({ after: pageParam as Row | undefined, limit: pageSize }),
    initialPageParam: undefined as Found | undefined,
    getNextPageParam: (page) => (page.length < pageSize ? undefined : page.at(-1)),
    staleTime: 'static',
    enabled,
  });
  const first = pages.data?.pages[0];
  const anchor = first?.at(Math.min(first.length, overlap) - 1);
  const newer = useQuery({
    queryKey: [table, ...key, 'newer', anchor?.id ?? null],
    queryFn: () => read({ downTo: anchor, limit: mostNewRows }),
    enabled: enabled && pages.isSuccess,
    // The first page has just brought the same rows.
    initialData: () => first?.slice(0, overlap),
    initialDataUpdatedAt: pages.dataUpdatedAt,
    staleTime: 1_000,
    refetchInterval: usePolling(isRunning),
  });
  const hasGap = (newer.data?.length ?? 0) >= mostNewRows;
  useEffect(() => {
    if (hasGap) void queryClient.resetQueries({ queryKey: pagesKey });
    // The key is a new array in every render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [hasGap, queryClient]);
  const rows = useMemo(() => {
    const newest = newer.data ?? [];
    const known = new Set(newest.map(({ id }) => id));
    return [...newest, ...(pages.data?.pages.flat().filter(({ id }) => !known.has(id)) ?? [])];
  }, [newer.data, pages.data]);
  return {
    rows,
    isPending: pages.isPending,
    isError: pages.isError && !pages.data,
    retry: () => void pages.refetch(),
    hasMore: pages.hasNextPage,
    isLoadingMore: pages.isFetchingNextPage,
    isMoreFailed: pages.isFetchNextPageError,
    loadMore: () => void pages.fetchNextPage(),
  };
}

interface DiaryOptions {
  userId: string;
  automationId: string;
  isRunning: boolean;
  enabled: boolean;
}

const runsPerPage = 60;
const entriesPerPage = 200;

export const useRuns = ({ userId, automationId, ...rest }: DiaryOptions) =>
  useNewestFirst<DiaryRun>({
    table: 'automation_runs',
    key: [userId, automationId],
    pageSize: runsPerPage,
    read: (part) => readRuns(automationId, part),
    ...rest,
  });

/** The lines that match a filter, over all runs. */
export const useEntries = ({ userId, automationId, ...rest }: DiaryOptions, filter: DiaryFilter) =>
  useNewestFirst<DiaryEntry>({
    table: 'run_diary',
    key: [userId, automationId, filter.group, filter.search],
    pageSize: entriesPerPage,
    read: (part) => readEntries(automationId, filter, part),
    ...rest,
  });
