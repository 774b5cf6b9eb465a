import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../components/ui/button';
import { formatCount } from '../../lib/format';
import { saveFile } from '../../lib/save-file';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { articlesCsv, articlesFileName, type ArticlesOfFile } from './article-csv';
import type { Entry } from './article-data';
import { csvTexts as texts } from './texts';

interface CsvButtonProps extends ArticlesOfFile {
  /** Whether the diary shows an article, as it is filtered now. */
  isShown: (entry: Entry) => boolean;
  isDisabled: boolean;
}

/** Downloads the articles that the diary shows as CSV, also those that are not loaded yet. While pages are read, a second press ends it. */
export function CsvButton({ userId, automationId, name, isShown, isDisabled }: CsvButtonProps) {
  const failure = useErrorToast();
  const running = useRef<AbortController>(undefined);
  const [read, setRead] = useState(0);
  useEffect(() => () => running.current?.abort(), []);
  const download = useMutation({
    mutationFn: () => {
      running.current = new AbortController();
      return articlesCsv(
        { userId, automationId },
        { isWanted: isShown, now: new Date(), signal: running.current.signal, onProgress: setRead },
      );
    },
    onMutate: () => {
      failure.clear();
      setRead(0);
    },
    onSuccess: ({ file, articles, isCut }) => {
      saveFile(file, articlesFileName(name, new Date()));
      toast.success(texts.started, { description: isCut ? texts.cut(formatCount(articles)) : texts.lines(formatCount(articles)) });
    },
    onError: () => {
      if (!running.current?.signal.aborted) failure.show(texts.failed, { description: texts.failedText });
    },
  });
  if (download.isPending && read > 0)
    return (
      <Button variant="secondary" onClick={() => running.current?.abort()}>
        <span role="status" className="tabular-nums">
          {texts.progress(formatCount(read))}
        </span>
        {texts.cancel}
      </Button>
    );
  return (
    <Button variant="secondary" isBusy={download.isPending} disabled={isDisabled} onClick={() => download.mutate()}>
      {!download.isPending && <Download className="size-4" aria-hidden />}
      {texts.download}
    </Button>
  );
}
