import { cva } from 'class-variance-authority';
import type { LampState } from './lamp';

/*
 * Classes of the building blocks that light pages use without their components: those merge classes by a library that is larger than a whole page of
 * the wheel.
 */

/** From loud to quiet: one `primary` on a screen, `danger` only in the dialog that confirms. */
export const buttonLook = cva(
  'inline-flex min-h-11 items-center justify-center gap-2 rounded-control px-[18px] text-md leading-none font-semibold tracking-normal whitespace-nowrap transition duration-150 active:translate-y-px disabled:cursor-not-allowed disabled:active:translate-y-0 disabled:not-aria-busy:bg-sunken disabled:not-aria-busy:bg-none disabled:not-aria-busy:text-muted disabled:not-aria-busy:shadow-none',
  {
    variants: {
      variant: {
        primary: 'bg-brand text-on-brand shadow-primary hover:bg-brand-hover active:bg-brand-press',
        ink: 'bg-ink text-canvas hover:bg-ink/86',
        secondary: 'bg-raised shadow-1 hover:bg-surface-end hover:outline hover:outline-edge',
        soft: 'bg-sunken hover:bg-tool-soft hover:text-tool',
        quiet: 'px-3 hover:bg-sunken',
        danger: 'bg-danger text-surface hover:bg-danger/88',
      },
      size: {
        normal: '',
        small: 'min-h-10 px-3.5 text-sm pointer-coarse:min-h-11 pointer-coarse:min-w-11',
        large: 'min-h-13 rounded-[12px] px-6 text-base',
        icon: 'w-11 px-0',
        wide: 'w-full',
      },
    },
    defaultVariants: { variant: 'primary', size: 'normal' },
  },
);

export const tones = {
  neutral: 'bg-sunken text-muted',
  brand: 'bg-brand-soft text-brand-text',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
} as const;
export type Tone = keyof typeof tones;

export const badgeLook = 'inline-flex min-h-6 items-center rounded-md px-2 text-xs font-semibold whitespace-nowrap';
export const noticeLook = 'grid grid-cols-[14px_minmax(0,1fr)] gap-3 rounded-tile px-4 py-3.5 text-md [overflow-wrap:anywhere]';
export const lampOfTone: Record<Tone, LampState> = { neutral: 'off', brand: 'warn', success: 'on', warning: 'warn', danger: 'stop' };
