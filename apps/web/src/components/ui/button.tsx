import { cva, type VariantProps } from 'class-variance-authority';
import { Loader2 } from 'lucide-react';
import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { classes } from '../../lib/classes';

const variants = cva(
  'inline-flex min-h-11 items-center justify-center gap-2 rounded-xl px-5 text-[15px] font-semibold whitespace-nowrap transition-colors duration-150 disabled:cursor-not-allowed aria-busy:opacity-70 disabled:not-aria-busy:bg-sunken disabled:not-aria-busy:text-muted',
  {
    variants: {
      variant: {
        primary: 'bg-brand text-on-brand hover:bg-brand-strong',
        outline: 'border border-line bg-surface text-ink hover:bg-sunken',
        soft: 'bg-brand-soft text-brand-strong hover:bg-brand hover:text-on-brand',
        quiet: 'text-ink hover:bg-sunken',
        danger: 'bg-danger text-canvas hover:opacity-90',
      },
      size: {
        normal: '',
        small: 'min-h-9 rounded-lg px-3 text-sm pointer-coarse:min-h-11 pointer-coarse:min-w-11',
        icon: 'w-11 px-0',
        wide: 'w-full',
      },
    },
    defaultVariants: { variant: 'primary', size: 'normal' },
  },
);

interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof variants> {
  asChild?: boolean;
  /** Shows that the action runs, and refuses a second one. */
  isBusy?: boolean;
}

export function Button({ asChild, isBusy, variant, size, className, children, disabled, type = 'button', ...rest }: ButtonProps) {
  if (asChild) {
    return (
      <Slot.Root className={classes(variants({ variant, size }), className)} {...rest}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button
      type={type}
      className={classes(variants({ variant, size }), className)}
      disabled={disabled || isBusy}
      aria-busy={isBusy}
      {...rest}
    >
      {isBusy && <Loader2 className="size-4 animate-spin" aria-hidden />}
      {children}
    </button>
  );
}
