import {
  type AutomationRow,
  type AutomationStatus,
  isInOperation,
  type LastRunSummary,
  tools,
  type ToolType,
  toolTypes,
} from '@decola/contracts';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client, requireChangedRow, unwrap } from '../../lib/api-client';
import { livePolling } from '../../lib/live-state';
import { automationItemTexts as texts } from './texts';

export interface ExtractionRow {
  id: string;
  automation_id: string;
  data_type: 'followers' | 'following' | 'likes' | 'comments' | 'leads';
  csv_url: string;
  file_name: string;
  total_records: number;
  profile_total: number | null;
  state: 'waiting' | 'running' | 'complete' | 'ended_short' | 'expired';
  state_reason: string | null;
  created_at: string;
}

export interface BlogAutomationRow {
  id: string;
  keyword: string;
  is_active: boolean;
  last_generated_at: string | null;
  next_generation_at: string | null;
  created_at: string;
  pause_reason: string | null;
  /** Why the last due article was not written; absent from services of an earlier version. */
  problem_reason?: string | null;
  /** Never published. */
  is_draft?: boolean;
  /** `editorial`: of our own blog, which administrators run. */
  origin?: 'customer' | 'editorial';
  webhook_url?: string | null;
  schedule_type?: string;
  /** `HH:MM` in Brasília. */
  schedule_time?: string | null;
  /** 0 (Sunday) to 6. */
  schedule_days?: number[] | null;
}

/** An automation of either table in the shape that the list shows. */
export interface ListedAutomation {
  id: string;
  table: 'automations' | 'blog_automations';
  type: ToolType;
  name: string;
  /** The value that a rename edits: the name, or the keyword of a blog automation. */
  editableName: string;
  status: AutomationStatus;
  reason: string | null;
  /** The server's code for why it was switched off; null while it is on, and when its owner switched it off. */
  cause: string | null;
  /** Id of the Instagram account that it acts with. */
  accountId: string | null;
  /** `@name` of that account, or the network's numeric id; null without a session. */
  sessionAccount: string | null;
  isDraft: boolean;
  isActive: boolean;
  lastRunAt: string | null;
  nextRunAt: string | null;
  lastRun: LastRunSummary | null;
  createdAt: string;
  configuration: Record<string, unknown>;
}

export type AutomationTable = ListedAutomation['table'];

/** Tools that collect a list of people, which can be downloaded. */
export const extractorTypes: readonly ToolType[] = toolTypes.filter((type) => tools[type].isExtractor);

/** Whether an automation is a prize wheel: it has a public page, and a page for its owner instead of a diary. */
export const isWheel = ({ type }: Pick<ListedAutomation, 'type'>): boolean =>
  tools[type].methods.some(({ value }) => value === 'prize_wheel');

/** Where the articles of a blog automation are: those for a customer's site. Null for our own blog, and for other tools. */
export const articlesPathOf = ({ table, id, configuration }: Pick<ListedAutomation, 'table' | 'id' | 'configuration'>): string | null =>
  table === 'blog_automations' && configuration['origin'] !== 'editorial' ? `/artigos?automacao=${id}` : null;

/** The owner's page of a wheel. */
export const wheelPathOf = (id: string): string => `/automation/${id}/roleta`;

const switchedOff = texts.switchedOff;

export function toListed(row: AutomationRow): ListedAutomation {
  return {
    id: row.id,
    table: 'automations',
    type: row.type,
    name: row.name,
    editableName: row.name,
    status: row.status,
    reason: row.status_reason ?? (row.status === 'paused' ? switchedOff : null),
    cause: row.pause_cause,
    accountId: row.instagram_account_id,
    sessionAccount: row.session_account,
    isDraft: row.is_draft,
    isActive: row.is_active,
    lastRunAt: row.last_run_at,
    nextRunAt: row.is_active ? row.next_run_at : null,
    lastRun: row.last_run,
    createdAt: row.created_at,
    configuration: row.configuration,
  };
}

export const blogNamePrefix = texts.blogNamePrefix;

export function toListedBlog(row: BlogAutomationRow): ListedAutomation {
  const isDraft = (row.is_draft ?? false) && !row.is_active;
  const reason = row.pause_reason ?? (row.is_active ? (row.problem_reason ?? null) : switchedOff);
  return {
    id: row.id,
    table: 'blog_automations',
    type: 'blog-automation',
    name: `${blogNamePrefix}${row.keyword}`,
    editableName: row.keyword,
    status: isDraft ? 'draft' : row.is_active ? 'waiting' : 'paused',
    reason: isDraft ? null : reason,
    cause: null,
    accountId: null,
    sessionAccount: null,
    isDraft,
    isActive: row.is_active,
    lastRunAt: row.last_generated_at,
    nextRunAt: row.is_active ? row.next_generation_at : null,
    lastRun: null,
    createdAt: row.created_at,
    configuration: {
      origin: row.origin,
      webhookUrl: row.webhook_url,
      ...(row.schedule_type === 'weekly' && { days: row.schedule_days, time: row.schedule_time }),
    },
  };
}

/** Whether an automation is at work: switched on, of a tool that is in operation, and not finished. */
export const isOnAir = ({ table, type, isActive, isDraft, status }: ListedAutomation): boolean =>
  isActive && !isDraft && (status === 'waiting' || status === 'running') && (table === 'blog_automations' || isInOperation(type));

/** Poll intervals while changes are not heard: short while an automation runs or is about to run, long otherwise. */
const fastPollMs = 2_000;
const slowPollMs = 15_000;

/** The first run begins when the check of its session ends; until then `next_run_at` says how long the server waits for the check, at most. */
const longestCheckMs = 150_000;

type Due = Pick<AutomationRow, 'status' | 'next_run_at' | 'last_run_at'>;

/** Whether a row may change before the next slow poll: it is running, its next run is due by then, or its first run waits for the check of its session. */
export function mayChangeSoon({ status, next_run_at: nextRunAt, last_run_at: lastRunAt }: Due, now: number): boolean {
  if (status !== 'waiting') return status === 'running';
  return nextRunAt === null || Date.parse(nextRunAt) - now < (lastRunAt === null ? longestCheckMs : slowPollMs);
}

const readOwn = async <Row>(table: string, userId: string) =>
  unwrap(await client().from(table).select('*').eq('user_id', userId).order('created_at', { ascending: false })) as Row[];

export const automationsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['automations', userId],
    queryFn: () => readOwn<AutomationRow>('automations', userId),
    refetchInterval: ({ state }) => livePolling(state.data?.some((row) => mayChangeSoon(row, Date.now())) ? fastPollMs : slowPollMs),
  });

export const blogAutomationsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['blog_automations', userId],
    queryFn: () => readOwn<BlogAutomationRow>('blog_automations', userId),
    refetchInterval: () => livePolling(slowPollMs),
  });

export const extractionsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['extracted_data', userId],
    queryFn: () => readOwn<ExtractionRow>('extracted_data', userId),
    refetchInterval: ({ state }) =>
      livePolling(state.data?.some((row) => row.state === 'running' || row.state === 'waiting') ? fastPollMs : slowPollMs),
  });

/** Automations and blog automations in one list, newest first. */
export function useAutomations(userId: string) {
  const automations = useQuery(automationsQuery(userId));
  const blogs = useQuery(blogAutomationsQuery(userId));
  const list = useMemo(
    () =>
      automations.data &&
      blogs.data &&
      [...automations.data.map(toListed), ...blogs.data.map(toListedBlog)].toSorted(
        (a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt),
      ),
    [automations.data, blogs.data],
  );
  return {
    list,
    isError: automations.isError || blogs.isError,
    retry: () => Promise.all([automations.refetch(), blogs.refetch()]),
  };
}

export interface Lists {
  /** The newest list, which shows the extractor's progress. */
  newest: ExtractionRow | undefined;
  /** The list to download: the newest finished one, so that it stays available while the next is collected; else the newest with people. */
  file: ExtractionRow | undefined;
  /** All lists with people, newest first. */
  withPeople: readonly ExtractionRow[];
}

const finishedStates: readonly ExtractionRow['state'][] = ['complete', 'ended_short'];

/** @param extractions newest first */
export function listsOf(automationId: string, extractions: readonly ExtractionRow[]): Lists {
  const own = extractions.filter(({ automation_id }) => automation_id === automationId);
  const withPeople = own.filter(({ total_records }) => total_records > 0);
  return { newest: own[0], file: withPeople.find(({ state }) => finishedStates.includes(state)) ?? withPeople[0], withPeople };
}

/** Name of the automation that a list belongs to, by the id of the list or of the automation itself. */
export function listNamer(automations: readonly ListedAutomation[], extractions: readonly ExtractionRow[]) {
  const names = new Map(automations.map(({ id, name }) => [id, name]));
  const owners = new Map(extractions.map(({ id, automation_id }) => [id, automation_id]));
  return (id: string): string | undefined => names.get(owners.get(id) ?? id);
}

export interface AutomationChange {
  table: AutomationTable;
  id: string;
  patch: { name?: string; keyword?: string; is_active?: boolean };
}

/**
 * Renames an automation or switches it on or off. The change shows at once and is rolled back when the server refuses it. A finished extractor that is
 * switched on collects a new list and keeps the old one.
 */
export function useChangeAutomation(userId: string) {
  const queryClient = useQueryClient();
  const keyOf = (table: AutomationTable) => [table, userId];
  return useMutation({
    mutationFn: async ({ table, id, patch }: AutomationChange) => {
      requireChangedRow(await client().from(table).update(patch).eq('id', id).select('id'));
    },
    onMutate: async ({ table, id, patch }) => {
      const queryKey = keyOf(table);
      await queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueryData<{ id: string }[]>(queryKey);
      queryClient.setQueryData<{ id: string }[]>(queryKey, (rows) => rows?.map((row) => (row.id === id ? { ...row, ...patch } : row)));
      return { before };
    },
    onError: (_error, { table }, context) => queryClient.setQueryData(keyOf(table), context?.before),
    // Not awaited: the toast must not wait for the refetch of every query.
    onSettled: () => void queryClient.invalidateQueries(),
  });
}

export function useDeleteAutomation() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ table, id }: Pick<ListedAutomation, 'table' | 'id'>) => {
      if (table === 'automations') unwrap(await client().from('extracted_data').delete().eq('automation_id', id).select('id'));
      unwrap(await client().from(table).delete().eq('id', id).select('id'));
    },
    onSuccess: (_, { table, id }) => {
      queryClient.setQueriesData<{ id: string }[]>({ queryKey: [table] }, (rows) => rows?.filter((row) => row.id !== id));
    },
    onSettled: () => void queryClient.invalidateQueries(),
  });
}

/** Automations that use the list of this one. */
export function dependentsOf(
  automation: Pick<ListedAutomation, 'id'>,
  all: readonly ListedAutomation[],
  extractions: readonly ExtractionRow[],
): ListedAutomation[] {
  const ids = new Set([automation.id, ...extractions.filter(({ automation_id }) => automation_id === automation.id).map(({ id }) => id)]);
  return all.filter(
    ({ id, configuration }) =>
      id !== automation.id &&
      [configuration['extractedSlotId'], configuration['extractedDataId']].some((source) => typeof source === 'string' && ids.has(source)),
  );
}

export const titleOf = ({ type }: Pick<ListedAutomation, 'type'>) => tools[type].title;

/** The filled part of the dial, 0 to 1: the share of a list that is collected, or of the time between two runs that has passed. */
export function filledOf({ lastRunAt, createdAt, nextRunAt }: ListedAutomation, { newest }: Lists, now: Date): number {
  if (newest?.profile_total) return newest.total_records / newest.profile_total;
  if (nextRunAt === null) return 0;
  const from = Date.parse(lastRunAt ?? createdAt);
  const whole = Date.parse(nextRunAt) - from;
  return whole > 0 ? (now.getTime() - from) / whole : 1;
}
