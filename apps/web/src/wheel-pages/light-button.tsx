import type { VariantProps } from 'class-variance-authority';
import { clsx } from 'clsx';
import { Loader2 } from 'lucide-react';
import type { ComponentProps } from 'react';
import { buttonLook } from '../components/ui/looks';

interface LightButtonProps extends ComponentProps<'button'>, VariantProps<typeof buttonLook> {
  /** Shows that the action is running, and disables the button meanwhile. */
  isBusy?: boolean;
}

/** The app's button without the libraries that merge classes and elements. A class that replaces one of the look's is written with `!`. */
export function LightButton({ isBusy, variant, size, className, children, disabled, type = 'button', ...rest }: LightButtonProps) {
  return (
    <button
      type={type}
      className={clsx(buttonLook({ variant, size }), className)}
      disabled={disabled || isBusy}
      aria-busy={isBusy}
      {...rest}
    >
      {isBusy && <Loader2 className="size-[18px] animate-spin" aria-hidden />}
      {children}
    </button>
  );
}
