import { useEffect, useState } from 'react';
import type { ExternalToast } from 'sonner';
import { toast } from './toast';

/**
 * The toast that says why an action of this component failed. A second failure replaces the first. The toast closes when the component calls `clear`,
 * which it does when the person tries again, and when the component unmounts.
 */
export function useErrorToast() {
  const [failure] = useState(() => {
    let shown: string | number | undefined;
    const clear = () => {
      if (shown !== undefined) toast.dismiss(shown);
      shown = undefined;
    };
    return {
      show: (title: string, options: Pick<ExternalToast, 'description' | 'action'> = {}) => {
        clear();
        shown = toast.error(title, options);
      },
      clear,
    };
  });
  useEffect(() => failure.clear, [failure]);
  return failure;
}
