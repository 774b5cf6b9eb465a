import type { GenerateArticleImageAnswer } from '@decola/contracts';
import { useMutation } from '@tanstack/react-query';
import { ImagePlus, Trash2 } from 'lucide-react';
import { lazy, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '../../components/ui/button';
import { ApiError, callFunction, client } from '../../lib/api-client';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { listedCards, type ListedCard, reloadList, subscribeToList } from './list-page';
import { Part } from './part';
import { cardTexts as texts } from './texts';

const loadRemoval = () => import('./remove-article-dialog');
const RemoveArticleDialog = lazy(() => loadRemoval().then((module) => ({ default: module.RemoveArticleDialog })));

/** Buttons in the cards of the list that the gateway has rendered. */
export function CardTools() {
  const cards = useSyncExternalStore(subscribeToList, listedCards);
  const [leaving, setLeaving] = useState<ListedCard | null>(null);
  const [isOpened, setOpened] = useState(false);
  const failureToast = useErrorToast();
  const askToRemove = async (card: ListedCard) => {
    failureToast.clear();
    try {
      await loadRemoval();
    } catch {
      failureToast.show(texts.removeFailed);
      return;
    }
    setOpened(true);
    setLeaving(card);
  };
  return (
    <>
      {cards.map((card) => createPortal(<Tools card={card} onRemove={() => void askToRemove(card)} />, card.tools, card.id))}
      {isOpened && (
        <Part fallback={null} failure={null}>
          <RemoveArticleDialog card={leaving} onClose={() => setLeaving(null)} />
        </Part>
      )}
    </>
  );
}

/** Why no picture came, in words for the administrator. */
class ImageError extends Error {}

function Tools({ card, onRemove }: { card: ListedCard; onRemove: () => void }) {
  const failureToast = useErrorToast();
  const image = useMutation({
    mutationFn: async () => {
      const { session } = (await client().auth.getSession()).data;
      if (!session) throw new ImageError(texts.loginNeeded);
      const answer = await callFunction<GenerateArticleImageAnswer | null>('generate-article-image', {
        articleId: card.id,
        title: card.title,
      });
      if (!answer?.success) throw new ApiError(answer?.error ?? '');
    },
    onMutate: () => failureToast.clear(),
    onSuccess: () => {
      toast.success(texts.imageDone);
      void reloadList();
    },
    onError: (error) => failureToast.show(error instanceof ImageError ? error.message : texts.error(error.message || texts.imageUnknown)),
  });
  return (
    <div className="-ml-3 flex flex-wrap gap-1">
      <Button variant="quiet" size="small" aria-label={texts.imageOf(card.title)} isBusy={image.isPending} onClick={() => image.mutate()}>
        {!image.isPending && <ImagePlus className="size-[18px]" aria-hidden />}
        {texts.image}
      </Button>
      <Button variant="quiet" size="small" className="text-danger" aria-label={texts.removeOf(card.title)} onClick={onRemove}>
        <Trash2 className="size-[18px]" aria-hidden />
        {texts.remove}
      </Button>
    </div>
  );
}
