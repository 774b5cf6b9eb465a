import { useMutation } from '@tanstack/react-query';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';
import { client, requireChangedRow } from '../../lib/api-client';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { type ListedCard, reloadList } from './list-page';
import { cardTexts as texts } from './texts';

/** Asks before an article is deleted, which cannot be undone. */
export function RemoveArticleDialog({ card, onClose }: { card: ListedCard | null; onClose: () => void }) {
  const failureToast = useErrorToast();
  const remove = useMutation({
    mutationFn: async ({ id }: ListedCard) => requireChangedRow(await client().from('blog_articles').delete().eq('id', id).select('id')),
    onMutate: () => failureToast.clear(),
    onSuccess: () => {
      toast.success(texts.removed);
      onClose();
      void reloadList();
    },
    onError: (error) => failureToast.show(texts.removeFailed, { description: error.message || undefined }),
  });
  const close = () => {
    if (remove.isPending) return;
    failureToast.clear();
    onClose();
  };
  return (
    <Dialog isOpen={card !== null} onClose={close} title={texts.removeTitle} description={texts.removeText(card?.title ?? '')}>
      <div className="grid gap-2 sm:flex sm:flex-row-reverse">
        <Button variant="danger" isBusy={remove.isPending} onClick={() => card && remove.mutate(card)}>
          {texts.remove}
        </Button>
        <Button variant="secondary" disabled={remove.isPending} onClick={close}>
          {texts.cancel}
        </Button>
      </div>
    </Dialog>
  );
}
