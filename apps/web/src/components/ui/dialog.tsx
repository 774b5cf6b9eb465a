import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { classes } from '../../lib/classes';

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  description?: string;
  children: ReactNode;
  size?: 'normal' | 'full';
}

/** A toast lies above the dialog that it tells of: whoever presses it has not left the dialog. */
function keepForToasts(event: CustomEvent<{ originalEvent: Event }>) {
  const { target } = event.detail.originalEvent;
  if (target instanceof Element && target.closest('[data-sonner-toaster]')) event.preventDefault();
}

export function Dialog({ isOpen, onClose, title, description, children, size = 'normal' }: DialogProps) {
  return (
    <Primitive.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-50 bg-black/55" />
        <Primitive.Content
          className={classes(
            'fixed z-50 overflow-y-auto bg-surface p-6 shadow-2xl',
            size === 'full'
              ? 'inset-0 grid content-center-safe sm:p-10'
              : 'top-1/2 left-1/2 max-h-[calc(100dvh-1.5rem)] w-[min(32rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 rounded-2xl break-words',
          )}
          onInteractOutside={keepForToasts}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <Primitive.Title
            className={classes('font-display font-semibold', size === 'full' ? 'px-10 text-center text-2xl sm:text-3xl' : 'pr-10 text-xl')}
          >
            {title}
          </Primitive.Title>
          {description && (
            <Primitive.Description className={classes('mt-1 text-muted', size === 'full' && 'text-center')}>
              {description}
            </Primitive.Description>
          )}
          <div className="mt-5">{children}</div>
          <Primitive.Close
            className="absolute top-4 right-4 grid size-11 place-content-center rounded-xl hover:bg-sunken"
            aria-label="Fechar"
          >
            <X className="size-5" aria-hidden />
          </Primitive.Close>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
