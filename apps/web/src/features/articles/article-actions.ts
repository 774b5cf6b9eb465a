import type { ArticleDecision, DoneAnswer, RefreshDecision } from '@decola/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, callFunction } from '../../lib/api-client';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { actionTexts, editTexts, readTexts, refreshTexts } from './texts';

/** Calls a function that only does something. @throws ApiError with its sentence when it is refused */
async function call(name: string, body: object): Promise<void> {
  const answer = await callFunction<DoneAnswer>(name, body);
  if (!answer.success) throw new ApiError(answer.error);
}

interface Deed<Input> {
  run: (input: Input) => Promise<void>;
  done: (input: Input) => string;
  failed: string;
}

/** Does something about an article, says in a toast how that went, and reads the diary again. */
function useDeed<Input>({ run, done, failed }: Deed<Input>) {
  const queryClient = useQueryClient();
  const failure = useErrorToast();
  return useMutation({
    mutationFn: run,
    onMutate: () => failure.clear(),
    onSuccess: (_, input) => void toast.success(done(input)),
    onError: (error) => failure.show(failed, { description: error.message || undefined }),
    // The newest state of the article says why, when it was refused.
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ['article_runs'] });
      void queryClient.invalidateQueries({ queryKey: ['customer_articles'] });
      void queryClient.invalidateQueries({ queryKey: ['refresh_proposals'] });
    },
  });
}

export const useRetryRun = () =>
  useDeed<{ runId: string }>({
    run: (body) => call('retry-article', body),
    done: () => actionTexts.runRetried,
    failed: actionTexts.retryFailed,
  });

/** Sends an article again. `force`: also over what its owner changed on the site. */
export const useRetryDelivery = () =>
  useDeed<{ deliveryId: string; force?: boolean }>({
    run: (body) => call('retry-delivery', body),
    done: () => actionTexts.deliveryRetried,
    failed: actionTexts.retryFailed,
  });

export const useWithdraw = () =>
  useDeed<{ articleId: string }>({
    run: (body) => call('withdraw-article', body),
    done: () => actionTexts.withdrawn,
    failed: actionTexts.withdrawFailed,
  });

export const useDecide = () =>
  useDeed<{ articleId: string; decision: ArticleDecision; note?: string }>({
    run: (body) => call('decide-article', body),
    done: ({ decision }) => readTexts.done[decision],
    failed: readTexts.failed,
  });

/** Decides about an article that should be written anew, or about its new text. */
export const useDecideRefresh = () =>
  useDeed<{ articleId: string; decision: RefreshDecision }>({
    run: (body) => call('refresh-article', body),
    done: ({ decision }) => refreshTexts.done[decision],
    failed: refreshTexts.decideFailed,
  });

export const useUpdateArticle = () =>
  useDeed<{ articleId: string; title: string; content_html: string }>({
    run: (body) => call('update-article', body),
    done: () => editTexts.saved,
    failed: editTexts.failed,
  });
