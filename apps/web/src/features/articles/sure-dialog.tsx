import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';
import { useRetryDelivery, useWithdraw } from './article-actions';
import type { Entry } from './article-data';
import { actionTexts as texts } from './texts';

/** What is asked about before it is done. */
export interface Question {
  entry: Entry;
  about: 'withdraw' | 'replace';
}

/** Asks before an article is withdrawn, or put over what its owner changed on the site. */
export function SureDialog({ question, onClose }: { question: Question | null; onClose: () => void }) {
  const withdraw = useWithdraw();
  const retry = useRetryDelivery();
  const isBusy = withdraw.isPending || retry.isPending;
  const title = question?.entry.article?.title ?? '';
  const isWithdrawal = question?.about === 'withdraw';
  const confirm = () => {
    const { article, delivery } = question?.entry ?? {};
    if (isWithdrawal && article) withdraw.mutate({ articleId: article.id }, { onSuccess: onClose });
    else if (delivery) retry.mutate({ deliveryId: delivery.id, force: true }, { onSuccess: onClose });
  };
  const close = () => !isBusy && onClose();
  return (
    <Dialog
      isOpen={question !== null}
      onClose={close}
      title={isWithdrawal ? texts.withdrawTitle : texts.replaceTitle}
      description={isWithdrawal ? texts.withdrawText(title) : texts.replaceText(title)}
    >
      <div className="grid gap-2 sm:flex sm:flex-row-reverse">
        <Button variant="danger" isBusy={isBusy} onClick={confirm}>
          {isWithdrawal ? texts.withdraw : texts.replace}
        </Button>
        <Button variant="secondary" disabled={isBusy} onClick={close}>
          {texts.cancel}
        </Button>
      </div>
    </Dialog>
  );
}
