import { type AutomationRow, wizardCatalogue } from '@decola/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { client, dataOf } from '../../lib/runtime';

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

const keys = { automations: ['automations'] as const, extractions: ['extractions'] as const };

/** How often the page looks again: often while something runs, seldom while all rests. */
const busyMs = 2_000;
const calmMs = 15_000;

export const automationsQuery = (userId: string) =>
  queryOptions({
    queryKey: [...keys.automations, userId],
    queryFn: async () =>
      dataOf(
        await client().from('automations').select('*').eq('user_id', userId).order('created_at', { ascending: false }),
      ) as AutomationRow[],
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'running' || status === 'waiting') ? busyMs : calmMs),
  });

export const extractionsQuery = (userId: string) =>
  queryOptions({
    queryKey: [...keys.extractions, userId],
    queryFn: async () =>
      dataOf(
        await client().from('extracted_data').select('*').eq('user_id', userId).order('created_at', { ascending: false }),
      ) as ExtractionRow[],
    refetchInterval: ({ state }) => (state.data?.some((row) => row.state === 'running' || row.state === 'waiting') ? busyMs : calmMs),
  });

/** Renames or switches; shown at once and taken back when it is refused. */
export function useChangeAutomation(userId: string) {
  const queryClient = useQueryClient();
  const { queryKey } = automationsQuery(userId);
  return useMutation({
    mutationFn: async ({ id, patch }: { id: string; patch: { name?: string; is_active?: boolean } }) => {
      dataOf(await client().from('automations').update(patch).eq('id', id).select('id'));
    },
    onMutate: async ({ id, patch }) => {
      await queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueryData(queryKey);
      queryClient.setQueryData(queryKey, (rows) => rows?.map((row) => (row.id === id ? { ...row, ...patch } : row)));
      return { before };
    },
    onError: (_error, _variables, context) => queryClient.setQueryData(queryKey, context?.before),
    onSettled: () => queryClient.invalidateQueries(),
  });
}

export function useDeleteAutomation() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => {
      dataOf(await client().from('extracted_data').delete().eq('automation_id', id).select('id'));
      dataOf(await client().from('automations').delete().eq('id', id).select('id'));
    },
    onSettled: () => queryClient.invalidateQueries(),
  });
}

/** Automations that take their people from this one's list. */
export function dependentsOf(
  automation: AutomationRow,
  all: readonly AutomationRow[],
  extractions: readonly ExtractionRow[],
): AutomationRow[] {
  const ids = new Set([automation.id, ...extractions.filter(({ automation_id }) => automation_id === automation.id).map(({ id }) => id)]);
  return all.filter(
    ({ id, configuration }) =>
      id !== automation.id &&
      [configuration['extractedSlotId'], configuration['extractedDataId']].some((source) => typeof source === 'string' && ids.has(source)),
  );
}

export const titleOf = (automation: AutomationRow) => wizardCatalogue[automation.type].title;
