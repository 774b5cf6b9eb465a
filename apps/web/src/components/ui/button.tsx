import type { VariantProps } from 'class-variance-authority';
import { Loader2 } from 'lucide-react';
import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { classes } from '../../lib/classes';
import { buttonLook } from './looks';

interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof buttonLook> {
  asChild?: boolean;
  /** Shows that the action is running, and disables the button meanwhile. */
  isBusy?: boolean;
}

export function Button({ asChild, isBusy, variant, size, className, children, disabled, type = 'button', ...rest }: ButtonProps) {
  if (asChild) {
    return (
      <Slot.Root className={classes(buttonLook({ variant, size }), className)} {...rest}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button
      type={type}
      className={classes(buttonLook({ variant, size }), className)}
      disabled={disabled || isBusy}
      aria-busy={isBusy}
      {...rest}
    >
      {isBusy && <Loader2 className="size-[18px] animate-spin" aria-hidden />}
      {children}
    </button>
  );
}
