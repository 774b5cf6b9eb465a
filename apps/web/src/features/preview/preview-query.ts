import type { PreviewRow } from '@decola/contracts';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client, unwrap } from '../../lib/api-client';
import { livePolling } from '../../lib/live-state';

/** How often a preview that is being made is read while no changes are heard, ms. */
const readEveryMs = 2_000;

const isOpen = (preview: PreviewRow | null | undefined): boolean => preview?.state === 'waiting' || preview?.state === 'reading';

/** The newest preview of an automation; null when nobody has asked for one within the last days. */
const newestPreviewQuery = (automationId: string) =>
  queryOptions({
    queryKey: ['previews', automationId],
    queryFn: async (): Promise<PreviewRow | null> => {
      const rows = unwrap(
        await client().from('previews').select('*').eq('automation_id', automationId).order('created_at', { ascending: false }).limit(1),
      ) as PreviewRow[];
      return rows[0] ?? null;
    },
    refetchInterval: ({ state }) => livePolling(isOpen(state.data) ? readEveryMs : false),
  });

/** The newest preview of an automation, and how to ask for another one. */
export function usePreview(automationId: string) {
  const queryClient = useQueryClient();
  const query = newestPreviewQuery(automationId);
  const preview = useQuery(query);
  const asking = useMutation({
    mutationFn: async () => unwrap(await client().rpc('preview_automation', { p_automation_id: automationId })) as PreviewRow,
    onSuccess: (row) => queryClient.setQueryData(query.queryKey, row),
  });
  return { preview, asking, isOpen: isOpen(preview.data) };
}
