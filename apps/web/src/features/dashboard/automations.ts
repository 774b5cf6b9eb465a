import { type AutomationRow, type AutomationStatus, type LastRunSummary, type ToolType, wizardCatalogue } from '@decola/contracts';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client, dataOf, mustChange } from '../../lib/runtime';

export interface ExtractionRow {
  id: string;
  automation_id: string;
  csv_url: string;
  file_name: string;
  total_records: number;
  profile_total: number | null;
  state: 'waiting' | 'running' | 'complete' | 'ended_short' | 'expired';
  state_reason: string | null;
}

export interface BlogAutomationRow {
  id: string;
  keyword: string;
  is_active: boolean;
  last_generated_at: string | null;
  next_generation_at: string | null;
  created_at: string;
  pause_reason: string | null;
}

/** An automation of either table, as the list shows it. */
export interface ListedAutomation {
  id: string;
  table: 'automations' | 'blog_automations';
  type: ToolType;
  name: string;
  /** What a rename changes: the name, or the keyword of a blog automation. */
  editableName: string;
  status: AutomationStatus;
  reason: string | null;
  isDraft: boolean;
  isActive: boolean;
  lastRunAt: string | null;
  nextRunAt: string | null;
  lastRun: LastRunSummary | null;
  createdAt: string;
  configuration: Record<string, unknown>;
}

export type AutomationTable = ListedAutomation['table'];

/** Where a list of the automation's people comes from; these have a file to download. */
export const extractorTypes: readonly ToolType[] = ['followers-following-extractor', 'post-interactions-extractor'];

const switchedOff = 'Você desligou esta automação. Ligue quando quiser que ela continue.';

export function listed(row: AutomationRow): ListedAutomation {
  return {
    id: row.id,
    table: 'automations',
    type: row.type,
    name: row.name,
    editableName: row.name,
    status: row.status,
    reason: row.status_reason ?? (row.status === 'paused' ? switchedOff : null),
    isDraft: row.is_draft,
    isActive: row.is_active,
    lastRunAt: row.last_run_at,
    nextRunAt: row.is_active ? row.next_run_at : null,
    lastRun: row.last_run,
    createdAt: row.created_at,
    configuration: row.configuration,
  };
}

export const blogNamePrefix = 'Artigos: ';

export function listedBlog(row: BlogAutomationRow): ListedAutomation {
  return {
    id: row.id,
    table: 'blog_automations',
    type: 'blog-automation',
    name: `${blogNamePrefix}${row.keyword}`,
    editableName: row.keyword,
    status: row.is_active ? 'waiting' : 'paused',
    reason: row.pause_reason ?? (row.is_active ? null : switchedOff),
    isDraft: false,
    isActive: row.is_active,
    lastRunAt: row.last_generated_at,
    nextRunAt: row.is_active ? row.next_generation_at : null,
    lastRun: null,
    createdAt: row.created_at,
    configuration: {},
  };
}

/** How often the page looks again: often while something runs or is about to, seldom while all rests. */
const busyMs = 2_000;
const calmMs = 15_000;

/** Whether a row may change at any moment; one that waits for its hour will not before the next calm look. */
export function isBusy({ status, next_run_at: nextRunAt }: Pick<AutomationRow, 'status' | 'next_run_at'>, now: number): boolean {
  return status === 'running' || (status === 'waiting' && (nextRunAt === null || Date.parse(nextRunAt) - now < calmMs));
}

const readOwn = async <Row>(table: string, userId: string) =>
  dataOf(await client().from(table).select('*').eq('user_id', userId).order('created_at', { ascending: false })) as Row[];

export const automationsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['automations', userId],
    queryFn: () => readOwn<AutomationRow>('automations', userId),
    refetchInterval: ({ state }) => (state.data?.some((row) => isBusy(row, Date.now())) ? busyMs : calmMs),
  });

export const blogAutomationsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['blog_automations', userId],
    queryFn: () => readOwn<BlogAutomationRow>('blog_automations', userId),
    refetchInterval: calmMs,
  });

export const extractionsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['extractions', userId],
    queryFn: () => readOwn<ExtractionRow>('extracted_data', userId),
    refetchInterval: ({ state }) => (state.data?.some((row) => row.state === 'running' || row.state === 'waiting') ? busyMs : calmMs),
  });

/** Both kinds of automations in one list, newest first. */
export function useAutomations(userId: string) {
  const automations = useQuery(automationsQuery(userId));
  const blogs = useQuery(blogAutomationsQuery(userId));
  const list =
    automations.data && blogs.data
      ? [...automations.data.map(listed), ...blogs.data.map(listedBlog)].toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
      : undefined;
  return {
    list,
    isError: automations.isError || blogs.isError,
    retry: () => Promise.all([automations.refetch(), blogs.refetch()]),
  };
}

export interface AutomationChange {
  table: AutomationTable;
  id: string;
  patch: { name?: string; keyword?: string; is_active?: boolean };
}

/** Renames or switches; shown at once and taken back when it is refused. */
export function useChangeAutomation(userId: string) {
  const queryClient = useQueryClient();
  const keyOf = (table: AutomationTable) => [table, userId];
  return useMutation({
    mutationFn: async ({ table, id, patch }: AutomationChange) => {
      mustChange(await client().from(table).update(patch).eq('id', id).select('id'));
    },
    onMutate: async ({ table, id, patch }) => {
      const queryKey = keyOf(table);
      await queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueryData<{ id: string }[]>(queryKey);
      queryClient.setQueryData<{ id: string }[]>(queryKey, (rows) => rows?.map((row) => (row.id === id ? { ...row, ...patch } : row)));
      return { before };
    },
    onError: (_error, { table }, context) => queryClient.setQueryData(keyOf(table), context?.before),
    // Read again in the background: what was done is told without waiting for everything else on the page.
    onSettled: () => void queryClient.invalidateQueries(),
  });
}

export function useDeleteAutomation() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ table, id }: Pick<ListedAutomation, 'table' | 'id'>) => {
      if (table === 'automations') dataOf(await client().from('extracted_data').delete().eq('automation_id', id).select('id'));
      dataOf(await client().from(table).delete().eq('id', id).select('id'));
    },
    onSuccess: (_, { table, id }) => {
      queryClient.setQueriesData<{ id: string }[]>({ queryKey: [table] }, (rows) => rows?.filter((row) => row.id !== id));
    },
    onSettled: () => void queryClient.invalidateQueries(),
  });
}

/** Automations that take their people from this one's list. */
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

export const titleOf = ({ type }: Pick<ListedAutomation, 'type'>) => wizardCatalogue[type].title;
