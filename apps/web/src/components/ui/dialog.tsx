import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { classes } from '../../lib/classes';
import { dialogTexts as texts } from './texts';

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  description?: string;
  children: ReactNode;
  size?: keyof typeof widths | 'full';
}

const widths = { normal: 'w-[min(32rem,calc(100vw-2rem))]', wide: 'w-[min(64rem,calc(100vw-2rem))]' };

/** Toasts lie above the dialog but outside of it: pressing one must not close the dialog. */
function keepForToasts(event: CustomEvent<{ originalEvent: Event }>) {
  const { target } = event.detail.originalEvent;
  if (target instanceof Element && target.closest('[data-sonner-toaster]')) event.preventDefault();
}

/**
 * The element that had the focus last. A button loses it while its action runs, so the element that has the focus when the dialog opens may be the
 * page's body.
 */
let lastFocused: HTMLElement | null = null;
if (typeof document !== 'undefined')
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) lastFocused = target;
  });

/** Focuses the element that had the focus before the dialog; the page's heading when that element is gone or disabled, such as the button of a deleted row. */
function returnFocus(to: HTMLElement | null) {
  to?.focus();
  if (to && document.activeElement === to) return;
  const heading = document.querySelector<HTMLElement>('h1') ?? document.querySelector<HTMLElement>('main');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
}

export function Dialog({ isOpen, onClose, title, description, children, size = 'normal' }: DialogProps) {
  const opener = useRef<HTMLElement>(null);
  return (
    <Primitive.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-50 bg-[rgb(5_7_10/0.5)]" />
        <Primitive.Content
          className={classes(
            'fixed z-50 overflow-y-auto p-5 sm:p-7',
            size === 'full'
              ? 'inset-0 grid content-center-safe bg-canvas max-[600px]:pb-[calc(1.25rem+var(--toasts,0px))] sm:p-10'
              : 'lit shadow-3 top-[calc((100dvh-var(--toasts,0px))/2)] left-1/2 max-h-[calc(100dvh-1.5rem-var(--toasts,0px))] -translate-x-1/2 -translate-y-1/2 rounded-panel break-words',
            size !== 'full' && widths[size],
          )}
          onInteractOutside={keepForToasts}
          onOpenAutoFocus={() => {
            opener.current = lastFocused;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            returnFocus(opener.current);
          }}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <Primitive.Title className={classes(size === 'full' ? 'px-10 text-center text-3xl wrap-anywhere' : 'pr-10 text-xl')}>
            {title}
          </Primitive.Title>
          {description && (
            <Primitive.Description className={classes('mt-2 text-muted', size === 'full' && 'text-center')}>
              {description}
            </Primitive.Description>
          )}
          <div className="mt-5">{children}</div>
          <Primitive.Close
            className="absolute top-4 right-4 grid size-11 place-content-center rounded-control text-muted hover:bg-sunken hover:text-ink"
            aria-label={texts.close}
          >
            <X className="size-5" aria-hidden />
          </Primitive.Close>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
