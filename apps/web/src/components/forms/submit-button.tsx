import { type ComponentProps, useSyncExternalStore } from 'react';
import { Button } from '../ui/button';

const unchanging = () => () => undefined;

/**
 * The button that sends a form of the sign-in page. In prerendered markup it is disabled, because without React the browser itself would send the form;
 * `aria-busy` keeps its look.
 */
export function SubmitButton({ isBusy = false, disabled = false, ...rest }: ComponentProps<typeof Button>) {
  const isReady = useSyncExternalStore(
    unchanging,
    () => true,
    () => false,
  );
  const waits = !isReady && !disabled;
  return (
    <Button
      type="submit"
      size="large"
      className="w-full whitespace-normal"
      isBusy={isBusy}
      disabled={disabled || waits}
      {...(waits && { 'aria-busy': true })}
      {...rest}
    />
  );
}
