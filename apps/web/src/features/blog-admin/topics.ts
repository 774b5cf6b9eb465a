import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, client, requireChangedRow, unwrap } from '../../lib/api-client';
import { livePolling } from '../../lib/live-state';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { topicTexts as texts } from './texts';

/** A row of `topics`: what one of the next articles of an automation will be about. */
export interface Topic {
  id: string;
  blog_automation_id: string | null;
  title: string;
  focus_keyword: string;
  /** `locked`: the planner keeps its place and title. */
  state: 'planned' | 'locked';
  /** Why it was chosen; a sentence for the administrator. */
  why?: string | null;
  position: number;
}

const slowPollMs = 60_000;
const mostTopics = 500;
/** Error codes of a server that does not serve the table yet. */
const unknownTableCodes: ReadonlySet<string | null> = new Set(['PGRST205', '42P01']);

/** Planned topics in the order in which they will be written; none while the server has no such table. */
export const topicsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['topics', userId],
    queryFn: async () => {
      try {
        return unwrap(
          await client()
            .from('topics')
            .select('*')
            .in('state', ['planned', 'locked'])
            .order('position')
            .limit(mostTopics)
            .overrideTypes<Topic[], { merge: false }>(),
        );
      } catch (error) {
        if (error instanceof ApiError && unknownTableCodes.has(error.code)) return [];
        throw error;
      }
    },
    refetchInterval: () => livePolling(slowPollMs),
  });

type TopicPatch = Partial<{ title: string; position: number; state: 'planned' | 'locked' | 'skipped' }>;
export interface TopicChange {
  /** The rows to change: two when topics change places. */
  patches: readonly { id: string; patch: TopicPatch }[];
  done: string;
}

/** Changes planned topics, and says in a toast how that went. */
export function useChangeTopics() {
  const queryClient = useQueryClient();
  const failureToast = useErrorToast();
  return useMutation({
    mutationFn: async ({ patches }: TopicChange) => {
      for (const { id, patch } of patches) requireChangedRow(await client().from('topics').update(patch).eq('id', id).select('id'));
    },
    onMutate: () => failureToast.clear(),
    onSuccess: (_, { done }) => void toast.success(done),
    onError: (error) => failureToast.show(texts.failed, { description: error.message || undefined }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['topics'] }),
  });
}

/** The change by which a topic takes the place of the one before it (-1) or after it (1); null at the ends, where there is none. */
export function moveOf(topic: Topic, topics: readonly Topic[], by: -1 | 1): TopicChange | null {
  const own = topics.filter(({ blog_automation_id: id }) => id === topic.blog_automation_id);
  const other = own[own.findIndex(({ id }) => id === topic.id) + by];
  if (!other) return null;
  return {
    patches: [
      { id: topic.id, patch: { position: other.position } },
      { id: other.id, patch: { position: topic.position } },
    ],
    done: texts.moved,
  };
}
