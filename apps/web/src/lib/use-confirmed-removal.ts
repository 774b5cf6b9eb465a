import type { UseMutationResult } from '@tanstack/react-query';
import { toast } from './toast';
import { useErrorToast } from './use-error-toast';

interface Removal<Item> {
  remove: UseMutationResult<unknown, Error, Item>;
  /** What the dialog asks about; null while it is closed. */
  item: Item | null;
  texts: { removed: string; failed: string };
  onClose: () => void;
  /** Called after the dialog has been closed. */
  onRemoved?: () => void;
}

/** What the buttons of a dialog do that asks before something is removed. After a failure the dialog stays open, and a toast says why. */
export function useConfirmedRemoval<Item>({ remove, item, texts, onClose, onRemoved }: Removal<Item>) {
  const failureToast = useErrorToast();
  // A removal that was sent cannot be cancelled, and closing the dialog would suggest that it can.
  const close = () => {
    if (remove.isPending) return;
    failureToast.clear();
    onClose();
  };
  const confirm = () => {
    if (item === null) return;
    failureToast.clear();
    remove.mutate(item, {
      onSuccess: () => {
        toast.success(texts.removed);
        onClose();
        onRemoved?.();
      },
      onError: (error) => failureToast.show(texts.failed, { description: error.message || undefined }),
    });
  };
  return { close, confirm };
}
