import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, client, unwrap } from '../../lib/api-client';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { keywordTexts as texts } from './texts';

export interface SavedKeyword {
  id: string;
  keyword: string;
  created_at: string;
}

const keyOf = (userId: string) => ['user_keywords', userId];
const duplicateCode = '23505';

/** The administrator's saved keywords, newest first. */
export const keywordsQuery = (userId: string) =>
  queryOptions({
    queryKey: keyOf(userId),
    queryFn: async () =>
      unwrap(
        await client()
          .from('user_keywords')
          .select('*')
          .eq('user_id', userId)
          .order('created_at', { ascending: false })
          .overrideTypes<SavedKeyword[], { merge: false }>(),
      ),
  });

/** Saves a keyword, and says in a toast how that went. */
export function useSaveKeyword(userId: string) {
  const queryClient = useQueryClient();
  const failureToast = useErrorToast();
  return useMutation({
    mutationFn: async (keyword: string) => {
      unwrap(await client().from('user_keywords').insert({ user_id: userId, keyword }).select('id'));
    },
    onMutate: () => failureToast.clear(),
    onSuccess: () => void toast.success(texts.saved),
    onError: (error) =>
      error instanceof ApiError && error.code === duplicateCode
        ? failureToast.show(texts.duplicate)
        : failureToast.show(texts.saveFailed, { description: error.message || undefined }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: keyOf(userId) }),
  });
}

/** Removes a keyword, and says in a toast how that went. */
export function useRemoveKeyword(userId: string) {
  const queryClient = useQueryClient();
  const failureToast = useErrorToast();
  return useMutation({
    mutationFn: async ({ id }: SavedKeyword) => {
      unwrap(await client().from('user_keywords').delete().eq('id', id).eq('user_id', userId).select('id'));
    },
    onMutate: () => failureToast.clear(),
    onSuccess: (_, { id }) => {
      queryClient.setQueryData<SavedKeyword[]>(keyOf(userId), (saved) => saved?.filter((each) => each.id !== id));
      toast.success(texts.removed);
    },
    onError: (error) => failureToast.show(texts.removeFailed, { description: error.message || undefined }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: keyOf(userId) }),
  });
}
