import type { DeliveryFunctionAnswer } from '@decola/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, callFunction, client, unwrap } from '../../lib/api-client';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { tokenTexts as texts } from './texts';

const keyOf = (userId: string) => ['user_tokens', userId];

/** The customer's token, by which their sites recognise our deliveries; null while there is none. */
export const webhookTokenQuery = (userId: string) =>
  queryOptions({
    queryKey: keyOf(userId),
    queryFn: async () => {
      const rows = unwrap(
        await client()
          .from('user_tokens')
          .select('token')
          .eq('user_id', userId)
          .eq('token_type', 'webhook')
          .overrideTypes<{ token: string | null }[], { merge: false }>(),
      );
      return rows[0]?.token ?? null;
    },
  });

/** A failure with the sentence of the step that failed. */
class TokenError extends Error {}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : '');

async function orThrow<Result>(work: () => Promise<Result>, sentence: (message: string) => string): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new TokenError(sentence(messageOf(error)));
  }
}

/** Creates the customer's token, or replaces it, and says how that went. @param isFirst whether there was none before */
export function useCreateToken(userId: string, isFirst: boolean) {
  const queryClient = useQueryClient();
  const failure = useErrorToast();
  return useMutation({
    mutationFn: async () => {
      const token = await orThrow(
        async () => unwrap(await client().rpc('generate_random_token')) as unknown as string,
        texts.generateFailed,
      );
      if (typeof token !== 'string' || token === '') throw new TokenError(texts.createFailed(''));
      const row = { user_id: userId, token, token_type: 'webhook' };
      await orThrow(async () => {
        const { error } = await client().from('user_tokens').upsert(row, { onConflict: 'user_id,token_type' });
        unwrap({ data: true, error });
      }, texts.saveFailed);
      return token;
    },
    onMutate: () => failure.clear(),
    onSuccess: (token) => {
      queryClient.setQueryData(keyOf(userId), token);
      toast.success(texts.created);
    },
    onError: (error) => {
      const sentence = error instanceof TokenError ? error.message : texts.createFailed(messageOf(error));
      if (isFirst) failure.show(sentence);
      else failure.show(texts.regenerateFailed, { description: sentence });
    },
  });
}

/** Ends the days in which the token of before still signs along with the new one, and says how that went. */
export function useRevokePreviousToken() {
  const failure = useErrorToast();
  return useMutation({
    mutationFn: async () => {
      const answer = await callFunction<DeliveryFunctionAnswer>('revoke-previous-token');
      if (!answer.success) throw new ApiError(answer.error);
    },
    onMutate: () => failure.clear(),
    onSuccess: () => void toast.success(texts.revoked),
    onError: (error) => failure.show(texts.revokeFailed, { description: error.message || undefined }),
  });
}
