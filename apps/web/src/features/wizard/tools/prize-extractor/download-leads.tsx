import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { Button } from '../../../../components/ui/button';
import { client, unwrap } from '../../../../lib/api-client';
import { toast } from '../../../../lib/toast';
import { useErrorToast } from '../../../../lib/use-error-toast';
import { shareTexts as texts } from './texts';

interface LatestList {
  csv_url: string | null;
  xlsx_url: string | null;
  file_name: string;
  total_records: number;
}

/** Downloads the leads of a wheel. The link is requested on click, since links expire. */
export function DownloadLeads({ automationId }: { automationId: string }) {
  const failureToast = useErrorToast();
  const latest = useMutation({
    onMutate: failureToast.clear,
    mutationFn: async (_: 'csv' | 'xlsx') =>
      unwrap(await client().rpc('get_latest_extraction', { p_automation_id: automationId })) as LatestList[],
    onSuccess: ([list], format) => {
      const url = format === 'csv' ? list?.csv_url : list?.xlsx_url;
      if (!list || !url || list.total_records === 0) {
        failureToast.show(texts.nothing);
        return;
      }
      const link = document.createElement('a');
      link.href = url;
      link.download = format === 'csv' ? list.file_name : list.file_name.replace(/\.csv$/i, '.xlsx');
      link.click();
      toast.success(texts.started);
    },
    onError: () => failureToast.show(texts.failed),
  });
  const isBusy = (format: 'csv' | 'xlsx') => latest.isPending && latest.variables === format;
  return (
    <>
      <Button variant="secondary" isBusy={isBusy('csv')} onClick={() => latest.mutate('csv')}>
        {!isBusy('csv') && <Download className="size-4.5" aria-hidden />} {texts.proposals.download}
      </Button>
      <Button variant="secondary" isBusy={isBusy('xlsx')} onClick={() => latest.mutate('xlsx')}>
        {!isBusy('xlsx') && <Download className="size-4.5" aria-hidden />} {texts.proposals.xlsx}
      </Button>
    </>
  );
}
