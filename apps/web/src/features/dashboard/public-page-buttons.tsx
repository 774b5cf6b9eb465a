import { CodeXml, ExternalLink, Link as LinkIcon } from 'lucide-react';
import { Button } from '../../components/ui/button';
import { embedCodeOf } from '../../lib/public-wheel';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { publicPageTexts as texts } from './texts';

/** Copies the link of a public page, and the code that embeds it, and says how that went. */
export function usePublicPageCopies(path: string, name: string) {
  const failureToast = useErrorToast();
  const copy = async (text: string, copied: string) => {
    failureToast.clear();
    try {
      await navigator.clipboard.writeText(text);
      toast.success(copied);
    } catch {
      failureToast.show(texts.copyFailed.title, { description: texts.copyFailed.text });
    }
  };
  const address = window.location.origin + path;
  return {
    copyLink: () => void copy(address, texts.linkCopied),
    copyCode: () => void copy(embedCodeOf(address, name), texts.copied),
  };
}

/** Opens the public page of a prize wheel, and copies its link and the code that embeds it. */
export function PublicPageButtons({ path, name }: { path: string; name: string }) {
  const { copyLink, copyCode } = usePublicPageCopies(path, name);
  return (
    <>
      <Button asChild variant="quiet" size="icon">
        <a href={path} target="_blank" rel="noreferrer" aria-label={texts.openOf(name)} title={texts.open}>
          <ExternalLink className="size-5" aria-hidden />
        </a>
      </Button>
      <Button variant="quiet" size="icon" aria-label={texts.copyLinkOf(name)} title={texts.copyLink} onClick={copyLink}>
        <LinkIcon className="size-5" aria-hidden />
      </Button>
      <Button variant="quiet" size="icon" aria-label={texts.copyOf(name)} title={texts.copy} onClick={copyCode}>
        <CodeXml className="size-5" aria-hidden />
      </Button>
    </>
  );
}
