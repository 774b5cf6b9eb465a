import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../components/ui/button';
import { formatCount } from '../../lib/format';
import { saveFile } from '../../lib/save-file';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { csvFileName, diaryCsv } from './diary-csv';
import { type DiaryFilter, mostRows } from './diary-queries';
import { diaryTexts as texts } from './texts';

interface CsvButtonProps {
  automation: { id: string; name: string };
  filter: DiaryFilter;
  /** Number of lines that match the filter; undefined while unknown. */
  count: number | undefined;
}

/** Downloads the lines that match the filter as CSV. A long diary takes many requests: the button shows how far it is, and a second press ends it. */
export function CsvButton({ automation: { id, name }, filter, count }: CsvButtonProps) {
  const failureToast = useErrorToast();
  const running = useRef<AbortController>(undefined);
  const [done, setDone] = useState(0);
  useEffect(() => () => running.current?.abort(), []);
  const download = useMutation({
    mutationFn: () => {
      running.current = new AbortController();
      return diaryCsv(id, filter, { signal: running.current.signal, onProgress: setDone });
    },
    onMutate: () => {
      failureToast.clear();
      setDone(0);
    },
    onSuccess: ({ file, lines }) => {
      saveFile(file, csvFileName(name, new Date()));
      toast.success(texts.csvStarted.title, { description: texts.csvStarted.text(formatCount(lines)) });
    },
    onError: () => {
      if (!running.current?.signal.aborted) failureToast.show(texts.csvFailed.title, { description: texts.csvFailed.text });
    },
  });
  if (download.isPending && (count ?? 0) > mostRows)
    return (
      <Button variant="secondary" className="max-[479px]:w-full" onClick={() => running.current?.abort()}>
        <span role="status" className="tabular-nums">
          {texts.csvProgress(formatCount(done), formatCount(Math.max(done, count ?? 0)))}
        </span>
        {texts.csvCancel}
      </Button>
    );
  return (
    <Button
      variant="secondary"
      className="max-[479px]:w-full"
      isBusy={download.isPending}
      disabled={count === 0}
      onClick={() => download.mutate()}
    >
      {!download.isPending && <Download className="size-4" aria-hidden />}
      {texts.csv}
    </Button>
  );
}
