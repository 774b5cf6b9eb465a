import { type FocusEvent, type MouseEvent, useEffect, useRef, useSyncExternalStore } from 'react';
import { toast, Toaster as Sonner } from 'sonner';
import { showToastsWith } from '../../lib/toast';
import { toasterTexts as texts } from './texts';

showToastsWith(toast);

/** Distance from the window's edges, px; on phones above the home indicator. */
const offset = 24;
const mobileOffset = { bottom: 'calc(16px + env(safe-area-inset-bottom))', left: 16, right: 16 };

/** The width up to which sonner lays toasts over the whole width. */
const narrow = '(max-width: 600px)';

function subscribeToWidth(onChange: () => void) {
  const query = window.matchMedia(narrow);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}
const isNarrow = () => window.matchMedia(narrow).matches;

/** Distance between a toast and what stands above it, px. */
const gap = 8;

/** Height of the strip at the foot of a phone's window that toasts cover, px; 0 on wide screens, where they stand beside the content. */
function coveredHeight(container: HTMLElement): number {
  const list = container.querySelector('[data-sonner-toaster]');
  const shown = container.querySelectorAll<HTMLElement>('[data-sonner-toast][data-visible=true][data-removed=false]');
  if (!list || shown.length === 0 || !isNarrow()) return 0;
  // Without the place of the toast itself, which still slides in.
  const heights = [...shown].map(({ offsetHeight }) => offsetHeight);
  return Math.ceil(window.innerHeight - list.getBoundingClientRect().bottom + Math.max(...heights) + gap);
}

/**
 * Reserves the strip that toasts cover on phones: as the variable `--toasts` it lengthens the page, lifts dialogs and what sticks to the foot of the window
 * (`styles.css`), and the field in use is scrolled out of it.
 */
function useReservedStrip() {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const { style } = document.documentElement;
    let reserved = 0;
    const reserve = () => {
      const foot = document.querySelector<HTMLElement>('[data-foot]');
      if (foot) style.setProperty('--foot', `${foot.offsetHeight}px`);
      else style.removeProperty('--foot');
      const height = coveredHeight(element);
      if (height === reserved) return;
      reserved = height;
      style.setProperty('--toasts', `${height}px`);
      const { activeElement } = document;
      // With its label and error, which are its neighbours. `scroll-padding` keeps it out of the strip.
      if (height > 0 && activeElement && activeElement !== document.body)
        activeElement.parentElement?.scrollIntoView?.({ block: 'nearest' });
    };
    const changes = new MutationObserver(reserve);
    changes.observe(element, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['data-visible', 'data-removed', 'data-mounted'],
    });
    window.addEventListener('resize', reserve);
    return () => {
      changes.disconnect();
      window.removeEventListener('resize', reserve);
      style.removeProperty('--toasts');
      style.removeProperty('--foot');
    };
  }, []);
  return container;
}

/**
 * Lets Tab leave the toasts. Sonner returns the focus to where it came from as soon as it leaves, so that Tab would lead back to the toasts for as long as one
 * is shown. A toast that is closed by the keyboard returns it.
 */
function useFocusThatLeaves() {
  const before = useRef<HTMLElement | null>(null);
  return {
    onFocusCapture: (event: FocusEvent) => {
      event.stopPropagation();
      const { relatedTarget, currentTarget } = event;
      if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget)) before.current = relatedTarget;
    },
    onClickCapture: ({ detail, target }: MouseEvent) => {
      const isByKeyboard = detail === 0;
      if (isByKeyboard && target instanceof Element && target.closest('[data-close-button]'))
        before.current?.focus({ preventScroll: true });
    },
  };
}

const light = <span className="light" aria-hidden />;

/**
 * Toasts of every page, shown for 6 s and closable at once. On wide screens they stand at the lower right, never stacked over each other; on phones one at
 * a time at the foot of the window, where the page makes room for it.
 */
export function Toaster() {
  const container = useReservedStrip();
  const focus = useFocusThatLeaves();
  const isOnPhone = useSyncExternalStore(subscribeToWidth, isNarrow, () => false);
  return (
    <div ref={container} className="contents" {...focus}>
      <Sonner
        closeButton
        className="font-sans!"
        theme="system"
        position="bottom-right"
        expand
        visibleToasts={isOnPhone ? 1 : 3}
        offset={offset}
        mobileOffset={mobileOffset}
        duration={6_000}
        containerAriaLabel={texts.region}
        icons={{ success: light, error: light, warning: light, info: light }}
        toastOptions={{
          unstyled: true,
          closeButtonAriaLabel: texts.close,
          classNames: {
            // A modal dialog disables the pointer outside of it; toasts stay clickable.
            toast:
              'pointer-events-auto relative grid w-full grid-cols-[14px_minmax(0,1fr)] items-start gap-3 rounded-tile bg-raised py-3.5 pr-12 pl-4 text-md text-ink shadow-3 sm:w-[380px]',
            icon: 'mt-[7px]',
            content: 'grid gap-0.5',
            title: 'font-semibold',
            description: 'text-sm text-muted',
            actionButton: 'col-start-2 justify-self-start link min-h-11',
            success: '[--l:var(--success-lamp)]',
            error: '[--l:var(--danger-lamp)]',
            warning: '[--l:var(--warning-lamp)]',
            info: '[--l:var(--edge)]',
            closeButton:
              'absolute top-1 right-1 grid size-11 place-content-center rounded-control bg-transparent! text-muted! hover:bg-sunken! hover:text-ink! [&_svg]:size-4',
          },
        }}
      />
    </div>
  );
}
