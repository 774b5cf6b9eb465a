import type { PlannedTopic, PreviewTopicsAnswer } from '@decola/contracts';
import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, callFunction } from '../../lib/api-client';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { type BlogDraft, rowOf, type StoredBlogAutomation } from './blog-draft';
import { topicPreviewTexts as texts } from './texts';

/** What topics follow from: the automation without its schedule and delivery. */
function contentOf(draft: BlogDraft, stored: StoredBlogAutomation | undefined) {
  const { keyword = stored?.keyword ?? '', theme, categories, webhook_url, settings = {} } = rowOf(draft, stored, false);
  return { keyword, theme, categories, webhook_url, settings };
}

/**
 * The topics of the next articles of an automation as it stands in the wizard. They are asked for by a person alone, since proposing them costs; a change of what
 * they follow from makes them unknown again.
 * @param save makes sure that the automation is stored. Returns its id; null when it could not be stored
 */
export function useTopicPreview(
  { draft, stored, userId }: { draft: BlogDraft; stored: StoredBlogAutomation | undefined; userId: string },
  save: () => Promise<string | null>,
) {
  const queryClient = useQueryClient();
  const failure = useErrorToast();
  const content = contentOf(draft, stored);
  const about = JSON.stringify(content);
  const keyOf = (id: string | null) => ['topic-preview', userId, id, about];
  const queryKey = keyOf(stored?.id ?? draft.savedId ?? null);
  const topics = useQuery<PlannedTopic[]>({ queryKey, queryFn: skipToken, staleTime: Number.POSITIVE_INFINITY }).data;
  const ask = useMutation({
    mutationFn: async ({ isReplacing }: { isReplacing: boolean; about: string }) => {
      const blogAutomationId = await save();
      // How the saving failed is said already.
      if (blogAutomationId === null) return null;
      const body = { blogAutomationId, draft: content, ...(isReplacing ? { replace: true } : {}) };
      const answer = await callFunction<PreviewTopicsAnswer>('preview-topics', body);
      if (!answer.success) throw new ApiError(answer.error);
      // What was asked about: the answers may have changed meanwhile.
      return { key: keyOf(blogAutomationId), topics: answer.topics };
    },
    onMutate: () => failure.clear(),
    onSuccess: (found, { isReplacing }) => {
      if (found === null) return;
      queryClient.setQueryData(found.key, found.topics);
      void queryClient.invalidateQueries({ queryKey: ['topics'] });
      if (isReplacing) toast.success(texts.replaced);
    },
    onError: (error, { isReplacing }) => {
      if (isReplacing) failure.show(texts.failed, { description: error.message || undefined });
    },
  });
  // The answers may have changed since they were asked about.
  const isCurrent = ask.variables?.about === about;
  return {
    topics,
    isBusy: ask.isPending,
    isChoosing: ask.isPending && ask.variables.isReplacing === false,
    problem: isCurrent ? ask.error : null,
    choose: () => ask.mutate({ isReplacing: false, about }),
    replace: () => ask.mutate({ isReplacing: true, about }),
  };
}
