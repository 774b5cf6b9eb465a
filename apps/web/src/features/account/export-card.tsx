import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../components/ui/button';
import { Lamp } from '../../components/ui/lamp';
import { Notice } from '../../components/ui/surface';
import { ApiError, callFunction } from '../../lib/api-client';
import { saveFile } from '../../lib/save-file';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { exportTexts as texts } from './texts';

const fileName = 'decola-dados.zip';

/** Downloads all data that the system holds about the person as one archive. */
export function ExportCard() {
  const failure = useErrorToast();
  const download = useMutation({
    mutationFn: async () => {
      const content = await callFunction<unknown>('export-account');
      if (!(content instanceof Blob)) throw new ApiError('');
      saveFile(content, fileName);
    },
    onMutate: failure.clear,
    onSuccess: () => toast.success(texts.started.title, { description: texts.started.text(fileName) }),
    onError: () => failure.show(texts.failed.title),
  });
  return (
    <div className="grid gap-4">
      <p className="text-muted">{texts.content}</p>
      {download.isError && (
        <div role="alert">
          <Notice tone="danger">{(download.error instanceof ApiError && download.error.message) || texts.failed.text}</Notice>
        </div>
      )}
      {download.isPending && <ExportProgress />}
      <Button variant="secondary" className="justify-self-start" isBusy={download.isPending} onClick={() => download.mutate()}>
        {!download.isPending && <Download className="size-4" aria-hidden />}
        {download.isError ? texts.retry : texts.download}
      </Button>
    </div>
  );
}

/** The archive's size is unknown until its end, so the progress shows steps by elapsed time instead of a percentage. */
function ExportProgress() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  const text = texts.progressSteps.findLast(({ fromSecond }) => seconds >= fromSecond)?.text;
  return (
    <div role="progressbar" aria-label={texts.progress} aria-valuetext={text}>
      <Lamp state="run">
        <span role="status">{text}</span>
      </Lamp>
    </div>
  );
}
