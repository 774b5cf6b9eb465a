import { Button } from '../../components/ui/button';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { useUser } from '../../session/session';
import { type ListedAutomation, useChangeAutomation } from './automations';
import { automationItemTexts as texts } from './texts';

/** Starts a new extraction of a finished extractor. The earlier lists stay. */
export function ExtractAgainButton({ automation: { id, table, name } }: { automation: ListedAutomation }) {
  const again = useChangeAutomation(useUser().id);
  const failureToast = useErrorToast();
  const start = () => {
    failureToast.clear();
    again.mutate(
      { table, id, patch: { is_active: true } },
      {
        onSuccess: () => toast.success(texts.extractingAgain.title, { description: texts.extractingAgain.text }),
        onError: (error) => failureToast.show(texts.extractAgainFailed, { description: error.message || undefined }),
      },
    );
  };
  return (
    <Button
      variant="secondary"
      size="small"
      className="mr-1.5"
      isBusy={again.isPending}
      onClick={start}
      aria-label={texts.extractAgainOf(name)}
    >
      {texts.extractAgain}
    </Button>
  );
}
