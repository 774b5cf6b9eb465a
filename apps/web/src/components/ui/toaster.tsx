import type { CSSProperties } from 'react';
import { Toaster as Sonner } from 'sonner';

/** Sonner's colours in ours: readable in both themes. */
const colours = Object.fromEntries(
  (['success', 'warning', 'error', 'info'] as const).flatMap((kind) => {
    const token = { success: 'success', warning: 'warning', error: 'danger', info: 'brand' }[kind];
    return [
      [`--${kind}-bg`, `var(--${token}-soft)`],
      [`--${kind}-border`, 'var(--line)'],
      [`--${kind}-text`, token === 'brand' ? 'var(--brand-strong)' : `var(--${token})`],
    ];
  }),
);

const style = {
  ...colours,
  '--normal-bg': 'var(--surface)',
  '--normal-border': 'var(--line)',
  '--normal-text': 'var(--ink)',
  fontFamily: 'inherit',
} as CSSProperties;

/** Under the header, whose links stay within reach. */
const offset = { top: 72 };

/** Short messages above every page: long enough to be read, closed by hand at once, none in front of another. */
export function Toaster() {
  return (
    <Sonner
      richColors
      closeButton
      theme="system"
      position="top-center"
      expand
      offset={offset}
      mobileOffset={offset}
      duration={6_000}
      containerAriaLabel="Mensagens"
      toastOptions={{
        closeButtonAriaLabel: 'Fechar',
        // A dialog takes the pointer from everything around it; what is told meanwhile can be closed and acted upon all the same.
        classNames: {
          toast: '!pointer-events-auto !text-[15px] !rounded-xl',
          description: '!text-[15px] !leading-snug !opacity-100',
          title: '!font-semibold',
          // At the end of the line, where a thumb looks for it, and as large as a thumb.
          closeButton:
            '!top-0 !right-0 !left-auto !size-6 !translate-x-[30%] !-translate-y-[30%] before:absolute before:-inset-2.5 before:content-[""]',
        },
      }}
      style={style}
    />
  );
}
