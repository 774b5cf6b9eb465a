import { CheckCircle2, Clock } from 'lucide-react';
import { Button } from '../../components/ui/button';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { type InstagramAccount, useChangeAccount } from './stopped-accounts';
import { resolveStopTexts as texts } from './texts';

/** What the account waits for after the customer reported the stop as resolved. */
function progressOf({ state, next_check_at: nextCheckAt }: InstagramAccount): string {
  if (state === 'checking') return texts.status.checking;
  return nextCheckAt === null ? texts.status.needsCookie : texts.status.checkScheduled;
}

interface ResolveStopProps {
  userId: string;
  account: InstagramAccount;
  variant?: 'primary' | 'secondary';
}

/** The button 'Já resolvi no Instagram' below a stop that only the customer can resolve; after it was pressed, the account's progress. */
export function ResolveStop({ userId, account, variant = 'secondary' }: ResolveStopProps) {
  const resolve = useChangeAccount(userId);
  const failureToast = useErrorToast();
  const report = () => {
    failureToast.clear();
    resolve.mutate(
      { id: account.id, patch: { resolved_at: new Date().toISOString() } },
      {
        onSuccess: ({ next_check_at: nextCheckAt }) =>
          toast.success(texts.toast.title, { description: nextCheckAt === null ? texts.toast.pasted : texts.toast.checked }),
        onError: (error) =>
          failureToast.show(texts.failed.title, {
            description: error.message || texts.failed.text,
          }),
      },
    );
  };
  return account.resolved_at === null ? (
    <Button variant={variant} className="max-w-full justify-self-start py-1 whitespace-normal" isBusy={resolve.isPending} onClick={report}>
      {!resolve.isPending && <CheckCircle2 className="size-4" aria-hidden />} {texts.button}
    </Button>
  ) : (
    <p role="status" className="flex items-start gap-2 text-md font-semibold">
      <Clock className="mt-0.5 size-4.5 shrink-0" aria-hidden /> {progressOf(account)}
    </p>
  );
}
