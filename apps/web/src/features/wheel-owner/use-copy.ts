import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { roundTexts as texts } from './texts';

/** Copies a text, and says how that went. */
export function useCopy() {
  const failure = useErrorToast();
  const copy = async (text: string) => {
    failure.clear();
    try {
      await navigator.clipboard.writeText(text);
      toast.success(texts.copied);
    } catch {
      failure.show(texts.copyFailed.title, { description: texts.copyFailed.text });
    }
  };
  return { copyText: (text: string) => void copy(text) };
}
