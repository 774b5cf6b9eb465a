import { siteKeyOf, type TestWebhookAnswer } from '@decola/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, callFunction } from '../../lib/api-client';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { checkTexts as texts } from './texts';

/** A site as it was tested. */
export interface TestedSite {
  webhookUrl: string;
  token: string;
}

/** Asks the server to test a site, and says in a toast how that went. `start` asks nothing while the address or the token is missing. */
export function useSiteCheck() {
  const queryClient = useQueryClient();
  const failure = useErrorToast();
  const check = useMutation({
    mutationFn: ({ webhookUrl, token }: TestedSite) => callFunction<TestWebhookAnswer>('test-webhook', { webhook_url: webhookUrl, token }),
    onSuccess: (answer) => {
      if (answer.success) toast.success(texts.passed);
      else failure.show(texts.failed(answer.error || texts.invalidAnswer));
    },
    onError: (error) => failure.show(texts.unreachable, { description: (error instanceof ApiError && error.message) || undefined }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['sites'] }),
  });
  const start = ({ webhookUrl, token }: { webhookUrl: string; token: string | null | undefined }) => {
    failure.clear();
    if (webhookUrl.trim() === '' || !token) return void failure.show(texts.missing);
    check.mutate({ webhookUrl: addressOf(webhookUrl), token });
  };
  const forget = () => {
    failure.clear();
    check.reset();
  };
  return { ...check, start, forget };
}

/** An address as it is stored and called: `https://` is added where a person left it out. */
export function addressOf(typed: string): string {
  const text = typed.trim();
  return text === '' || /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
}

/** What a site is called by: its host without `www.`; empty while the address is none. */
export const hostOf = (typed: string): string => (typed.trim() === '' ? '' : (siteKeyOf(typed) ?? ''));
