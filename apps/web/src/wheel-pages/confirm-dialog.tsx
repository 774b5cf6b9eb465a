import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Button } from '../components/ui/button';
import { confirmTexts as texts } from './texts';

interface ConfirmDialogProps {
  title: string;
  /** The word of the button that does it. */
  action: string;
  isBusy: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** Asks once more before something that cannot be undone. The browser's own dialog: it keeps the focus, and Escape closes it. */
export function ConfirmDialog({ title, action, isBusy, onConfirm, onClose, children }: ConfirmDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Before the dialog leaves the page: closing it gives the focus back to what opened it.
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        if (!isBusy) onClose();
      }}
      className="lit m-auto max-h-[calc(100dvh-1.5rem)] w-[min(32rem,calc(100vw-2rem))] overflow-y-auto rounded-panel p-5 text-ink shadow-3 wrap-anywhere backdrop:bg-[rgb(5_7_10/0.5)] sm:p-7"
    >
      <form
        method="dialog"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) onConfirm();
        }}
        className="wraps grid grid-cols-[minmax(0,1fr)] gap-4"
      >
        <h2 id={titleId} className="text-xl">
          {title}
        </h2>
        {children}
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="quiet" disabled={isBusy} onClick={onClose}>
            {texts.back}
          </Button>
          <Button type="submit" variant="danger" isBusy={isBusy}>
            {action}
          </Button>
        </div>
      </form>
    </dialog>
  );
}
